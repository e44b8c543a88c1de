"""Native types for planners: results of rollouts, and the statistics of bandits."""

from __future__ import annotations

from ludex.core._native import Arms, Rollout, record_path

__all__ = ["Arms", "Rollout", "record_path"]
