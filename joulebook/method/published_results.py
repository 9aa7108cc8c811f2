"""MLPerf Power as published: distributions, matched pairs and rankings, never a league table (method, section 12)."""

from joulebook.method.matched_pairs import gains, quality_groups, quality_pairs
from joulebook.method.paper_comparison import paper_beside_rows, workload_spans
from joulebook.method.published_energy import energy_by_benchmark, published_counts
from joulebook.method.ranking import rankings
from joulebook.method.token_units import token_units

CALCULATIONS = (
    published_counts,
    energy_by_benchmark,
    rankings,
    quality_pairs,
    quality_groups,
    gains,
    workload_spans,
    token_units,
    paper_beside_rows,
)
