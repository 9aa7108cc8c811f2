"""An MLPerf power result of any suite: its figures, their validity, and what they are valid for."""

from dataclasses import dataclass, field

from joulebook.intake.mlperf.places import model_and_target
from joulebook.results import Labels

WINDOW = "performance run, power_begin to power_end"
_WINDOWS = {"inference": WINDOW, "tiny": "median of the timed inference windows", "training": "run_start to run_stop"}
SUITES = {"inference": "MLPerf Inference", "tiny": "MLPerf Tiny", "training": "MLPerf Training"}


@dataclass(frozen=True, kw_only=True)
class MlperfResult:
    """One MLPerf power result, computed from its raw logs; None where a suite or a round has no such figure.

    Parameters
    ----------
    path : str
        Folder of the result, from its round on, else from the folder on that the user named.
    suite : str
        ``inference``, ``tiny`` or ``training``.
    round, division, submitter, system, benchmark : str or None
        What the folders (the division also ``systems/*.json``) say; None where they do not.
    run : str or None
        Run of a Training result, such as ``result_0``.
    scenario, effective_scenario : str or None
        Scenario of an inference result, and the one that was run.
    power_begin, power_end : str or None
        Window of the run as logged, in no time zone.
    duration_s : float
        Length of the window; of Training the time to train. [s]
    n_samples, n_nonpositive : int or None
        Rows strictly inside the window, failed reads too; failed reads (not positive, or nan) among them.
    max_gap_s : float or None
        Longest time between two rows inside, failed reads too. [s]
    avg_power_w : float
        Mean of the valid rows inside. [W]
    result_query_count : int or None
        Queries of the run; None in logs of v1.x.
    power_metric : float
        MLCommons' figure, in `power_unit`.
    power_unit : str
        ``W``, ``mJ/query``, ``mJ/sample`` (MultiStream of v1.x), ``uJ/inf.`` (Tiny) or ``J`` (one run of Training).
    how : str
        ``official``, or what stands for the query count in logs of v1.x.
    power_metric_of_round, power_unit_of_round : float, str or None
        The same as the round's own checker gave it: failed reads included up to v2.0, in J per sample up to v1.0.
    all_rows_avg_power_w : float or None
        Mean of all rows inside, where failed reads change it. [W]
    perf, perf_unit : float, str or None
        Performance: Samples/s, Queries/s (completed, where logged), Tokens/s or, from v2.1, Latency (ms).
    perf_unit_published, unit_note : str or None
        The unit that the round's tables give it, and why that is a wrong one.
    efficiency_per_j : float or None
        `perf` per watt, or samples per joule of a stream scenario. [1/J]
    energy_mean_x_duration_j : float
        MLCommons' energy: mean power times duration. [J]
    integral_energy_j : float or None
        Trapezoid of the valid rows, edges interpolated, gaps longer than three median intervals left out. [J]
    integral_difference_j, integral_difference_pct : float or None
        The integral less MLCommons' energy. [J, %]
    coverage : float or None
        Share of the window that the integral covers. [1]
    throughput_per_s : float or None
        Work done a second, in `unit_of_work`: of a Server result the scheduled rate up to v4.0, the completed rate
        from v4.1. [1/s]
    unit_of_work : str
        ``sample``, ``query``, ``output_token``, ``inference`` or ``training_sample``.
    scheduled_per_s, completed_per_s : float or None
        Both rates of a Server result, in its unit of work. [1/s]
    energy_per_completed_sample_j : float or None
        Mean power over the rate of completed samples. [J]
    latency_ms : float or None
        Latency of a stream scenario: early-stopping estimate, else the percentile of its rules. [ms]
    channels : int or None
        Analyzers or channels that the total power was added from.
    boundary : str or None
        Where the energy is metered: ``server``, or ``node_dc`` (behind the supply); None where parts of it differ.
    wall_energy_j : float or None
        Energy at the wall, where MLCommons' figure lies behind the supply. [J]
    validity : str or None
        The load generator's own verdict, such as ``VALID``.
    uncertainty_pct, uncertainty_source : float, str or None
        Limit of error of the mean power, and where it comes from. [% of reading]
    ranging_avg_w, testing_vs_ranging_pct : float or None
        Mean power of the ranging run, and how much the testing run lies above it. [W, %]
    device_type, client_tz, server_tz : str, int or None
        Meter as the power daemon numbers it; time zones as recorded. [s west of UTC]
    max_phase_diff_ms : float or None
        Largest difference of the two clocks. [ms]
    time_to_train_s, runs : float, int or None
        Of a Training run; runs of its result. [s]
    olympic_mean_energy_j, olympic_mean_time_to_train_s : float or None
        MLCommons' figures of the result: mean over its runs without the fastest and the slowest. [J, s]
    windows : int or None
        Timed windows of a Tiny result.
    disclosure_share, disclosure_missing : float, str or None
        Share of the fields of the system's description that say something, and what energy depends on and is missing.
    described : dict of str to str
        What the description of the system and the file on its number formats say, field by field.
    copy_of : str or None
        Path of the result that this is a copy of.
    checks : tuple of joulebook.intake.mlperf.validity.check.Check
        The validity report, rule by rule; empty where it was left off.
    notes : tuple of str
        What was left out, corrected or does not fit.
    files : dict of str to str
        SHA-256 of every file that was read, by its name below the result's folder.
    """

    path: str
    suite: str = "inference"
    round: str | None = None
    division: str | None = None
    submitter: str | None = None
    system: str | None = None
    benchmark: str | None = None
    run: str | None = None
    scenario: str | None = None
    effective_scenario: str | None = None
    power_begin: str | None = None
    power_end: str | None = None
    duration_s: float
    n_samples: int | None = None
    n_nonpositive: int | None = None
    max_gap_s: float | None = None
    avg_power_w: float
    result_query_count: int | None = None
    power_metric: float
    power_unit: str
    how: str = "official"
    power_metric_of_round: float | None = None
    power_unit_of_round: str | None = None
    all_rows_avg_power_w: float | None = None
    perf: float | None = None
    perf_unit: str | None = None
    perf_unit_published: str | None = None
    unit_note: str | None = None
    efficiency_per_j: float | None = None
    energy_mean_x_duration_j: float
    integral_energy_j: float | None = None
    integral_difference_j: float | None = None
    integral_difference_pct: float | None = None
    coverage: float | None = None
    throughput_per_s: float | None = None
    unit_of_work: str
    scheduled_per_s: float | None = None
    completed_per_s: float | None = None
    energy_per_completed_sample_j: float | None = None
    latency_ms: float | None = None
    channels: int | None = None
    boundary: str | None = "server"
    wall_energy_j: float | None = None
    validity: str | None = None
    uncertainty_pct: float | None = None
    uncertainty_source: str | None = None
    ranging_avg_w: float | None = None
    testing_vs_ranging_pct: float | None = None
    device_type: str | None = None
    client_tz: int | None = None
    server_tz: int | None = None
    max_phase_diff_ms: float | None = None
    time_to_train_s: float | None = None
    runs: int | None = None
    olympic_mean_energy_j: float | None = None
    olympic_mean_time_to_train_s: float | None = None
    windows: int | None = None
    disclosure_share: float | None = None
    disclosure_missing: str | None = None
    described: dict = field(default_factory=dict)
    copy_of: str | None = None
    checks: tuple = ()
    notes: tuple = ()
    files: dict = field(default_factory=dict)

    def labels(self):
        """What the figures are valid for.

        Returns
        -------
        joulebook.results.Labels
            Workload is the model; quality, such as ``99.9 % of reference``, is None where the benchmark states none.
        """
        model, target = model_and_target(self.benchmark)
        return Labels(workload=model, unit_of_work=self.unit_of_work, quality=f"{target} % of reference" if target else None,
                      scenario=self.scenario, window=_WINDOWS[self.suite], boundary=self.boundary)

    def source_text(self):
        """Suite, round, division, submitter, system, benchmark and scenario in one line."""
        parts = (" ".join(filter(None, (SUITES[self.suite], self.round))), self.division, self.submitter, self.system,
                 self.benchmark, self.scenario, self.run)
        return " ".join(", ".join(filter(None, parts)).split())

    def failed(self):
        """Rules of the validity report that are not kept."""
        return [check for check in self.checks if check.status == "fail"]


def difference(integral_j, official_j):
    """The integral less MLCommons' energy, in J and %, as columns of a result."""
    if integral_j is None:
        return {}
    return {"integral_difference_j": integral_j - official_j,
            "integral_difference_pct": 100 * (integral_j - official_j) / official_j if official_j else None}
