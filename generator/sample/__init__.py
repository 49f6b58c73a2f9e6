"""The reference agent that produced the sample batches. Imported by nothing.

A scripted stochastic policy: it plans from a case, calls mock tools, builds its context by the strategy of its variant,
makes mistakes, and runs into injected faults. No outcome is written down anywhere; the judges decide.
`python -m generator.sample` writes `data/batches`, the same bytes every time.
"""
