"""Logs of any meter, as declared: channels of samples on one clock, with what was left out and why.

`declaration` is what a user says, `presets` know formats, `sheets` make blocks of columns of files, `gather` and `read`
make channels of them; `clock`, `stamps`, `zones`, `cells`, `scale`, `rows`, `registers` know one thing each.
"""

from joulebook.intake.meters.declaration import Declaration, check_declarations
from joulebook.intake.meters.read import read_meters

__all__ = ["Declaration", "check_declarations", "read_meters"]
