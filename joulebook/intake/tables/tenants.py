"""Tenants that share a system, and operating points beside its idle power."""

import numpy as np

from joulebook.intake.checks import attempt_at
from joulebook.intake.sheet import again


def _tenants(sheet):
    sheet.least(1)
    names, _ = sheet.text("tenant", "no name", "a name for the tenant")
    sheet.rows(again(names) & (names != ""), "a tenant that is there twice", "tenant", "each tenant once")
    taken = np.array([name.lower() == "unallocated" for name in names], bool)
    sheet.rows(taken, "a name that is taken", "tenant", "another name: what no tenant holds is the line unallocated")
    share, utilization = sheet.number("share", low=0), sheet.number("utilization", low=0, high=1)
    return {"tenant": names, "share": share, "utilization": utilization}


def _check_room(inputs, tables, place, unclear, found):
    if "tenants_csv" not in tables or "overcommit" in unclear:
        return
    from joulebook.method.tenants import require_room

    overcommit = inputs["overcommit"].value if "overcommit" in inputs else "no"
    attempt_at(place("tenants_csv"), found, require_room, tables["tenants_csv"], overcommit)


def _check_idle(inputs, tables, place, unclear, found):
    if "operating_points_csv" not in tables or "idle_power_w" not in inputs:
        return
    points, idle = tables["operating_points_csv"], inputs["idle_power_w"].value
    below = points[points["average_power_w"] < idle]
    if len(below):
        first = below.iloc[0]
        found.add(f"the point {first['name']} draws less than idle_power_w in column average_power_w: "
                  "another boundary, or another machine",
                  **place("operating_points_csv"), value=float(first["average_power_w"]), allowed=f"at least {idle}")


TABLES = {"tenants_csv": ([(("tenant", "share", "utilization"), ())], _tenants)}
CHECKS = (_check_room, _check_idle)
