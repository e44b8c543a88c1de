"""Parts of the scripted agents for Catan: board analysis, plans, trades, robber."""
