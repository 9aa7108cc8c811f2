"""Rows of a portfolio: brought to the facility and to their own utilization, attributed, provisioned for (method, section 8)."""
