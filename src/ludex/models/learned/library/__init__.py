"""Library of models of other games: roles of kinds, stored kinds, and which of them are used."""
