"""Ablations of YOLOBOT, "Informed Hybrid Game Tree Search" (Joppen et al. 2018)."""
