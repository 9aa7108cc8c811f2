"""The whole campaigns, and what they counted: ``make campaigns``."""

import argparse
import os
import sys
from collections import Counter
from multiprocessing import get_context
from time import perf_counter

from tests.campaigns import calibration, immunity


def calibrate(pool, clients):
    """Coverage of each way, kind and seed; gives what lies outside."""
    cells = [(way, kind, seed, clients) for way in calibration.WAYS for seed in calibration.SEEDS for kind in calibration.KINDS]
    wrong = []
    low, high = calibration.COVERED
    print(f"Calibration: {clients} clients of each kind and seed; share of the 95 % intervals that hold the truth", flush=True)
    print(f"{'way':10}{'ranges':13}{'seed':>4}  " + "  ".join(f"{name:>26}" for name in calibration.RESULTS))
    due = [pool.apply_async(calibration.covered, cell) for cell in cells]
    for (way, kind, seed, _), made in zip(cells, due, strict=True):
        counted = made.get()
        shares = [counted[name] / clients for name in calibration.RESULTS]
        print(f"{way:10}{kind:13}{seed:>4}  " + "  ".join(f"{share:26.2%}" for share in shares), flush=True)
        wrong += [f"{way}, {kind}, seed {seed}: {share:.2%}" for share in shares if not low <= share <= high]
    return wrong


def mistake(pool, workers):
    """Every row of the table of mutations; gives what is wrong."""
    rows = immunity.mutations()
    done = pool.map(immunity.try_all, [rows[at::workers] for at in range(workers)])
    counted, wrong = sum((counts for counts, _ in done), Counter()), [line for _, lines in done for line in lines]
    print(f"Unit immunity: {len(rows)} mutations of {len({row['client'] for row in rows})} clients, due to be "
          f"{', '.join(f'{counted[what]} {what}' for what in immunity.EXPECTED)}; {len(wrong)} came out otherwise", flush=True)
    return wrong


def main():
    """Run the campaigns asked for; exit 1 where anything is not as it should be."""
    parser = argparse.ArgumentParser(prog="make campaigns", description=__doc__)
    parser.add_argument("campaigns", nargs="*", choices=["calibration", "immunity", []], help="both if none is named")
    parser.add_argument("--clients", type=int, default=calibration.CLIENTS, help="of each kind and seed")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    asked = parser.parse_args()
    wrong = []
    with get_context("spawn").Pool(asked.workers) as pool:
        for name, campaign in (("immunity", lambda: mistake(pool, asked.workers)),
                               ("calibration", lambda: calibrate(pool, asked.clients))):
            if name in (asked.campaigns or [name]):
                start = perf_counter()
                wrong += campaign()
                print(f"{perf_counter() - start:.0f} s\n", flush=True)
    sys.exit("\n".join(wrong) if wrong else 0)


if __name__ == "__main__":
    main()
