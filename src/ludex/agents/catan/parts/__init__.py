"""What the scripted players of catan reckon with."""
