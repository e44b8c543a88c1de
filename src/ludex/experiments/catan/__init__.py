"""How large catan is and how its players fare, beside what was printed."""
