"""Where rollouts end, and the statistics of bandits: native types that planners work with."""

from __future__ import annotations

from ludex.core._native import Arms, Rollout, record_path

__all__ = ["Arms", "Rollout", "record_path"]
