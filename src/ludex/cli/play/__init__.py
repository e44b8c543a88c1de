"""`ludex play`: play matches and show them."""
