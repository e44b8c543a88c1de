"""Beliefs over hidden information, by name; one file each."""

from __future__ import annotations

from ludex.models.believed.parts.particles import Particles
from ludex.models.believed.parts.uniform import UniformPrior

BELIEFS: dict[str, type[Particles] | type[UniformPrior]] = {
    "particles": Particles,
    "uniform": UniformPrior,
}
