"""The card language: from card files to the tables that the native core runs."""
