package io.tsdbsuite.rollup.tiers.apply;

import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.tiers.Policy;
import io.tsdbsuite.rollup.tiers.PolicyReader;
import io.tsdbsuite.rollup.tiers.proof.IdleSeries;
import io.tsdbsuite.rollup.tiers.proof.Proof;
import io.tsdbsuite.rollup.tiers.proof.ProofStore;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Checks the proofs of idle series of entries: a group has one for each table, since series go from
 * all tables or from none. It finds all problems, and changes nothing.
 */
final class IdleCheck {
  private static final long DAY = 86400;

  /** The proofs of the same series, by table, and where their series are. */
  private record Group(ProofStore store, Map<String, Proof> proofs, boolean begun) {
    List<String> metrics() {
      return proofs.values().iterator().next().policy().metrics();
    }
  }

  private final ProofCheck check;
  private final ApplyOptions options;
  private final Map<String, TierTable> tables;
  private final List<String> usage = new ArrayList<>();
  private final List<String> findings = new ArrayList<>();

  IdleCheck(ProofCheck check) {
    this.check = check;
    this.options = check.options();
    this.tables = tables(options);
  }

  /** All tables that series go from, in this order: the widest rollups first, raw data last. */
  private static Map<String, TierTable> tables(ApplyOptions options) {
    Map<String, TierTable> tables = new LinkedHashMap<>();
    options.rollups().intervals().stream()
        .filter(PolicyReader::isMade)
        .sorted(Comparator.comparingLong(RollupInterval::seconds).reversed())
        .map(RollupInterval::interval)
        .forEach(each -> tables.put(each, options.table(each)));
    tables.put(Policy.RAW, options.table(Policy.RAW));
    return tables;
  }

  /**
   * The rows that may go, in the order of the policy, those of each entry in the order of the
   * tables.
   *
   * @throws JobException with all problems: usage, or bad input if only proofs have some
   * @throws IOException when HBase or storage fails
   */
  List<ProvenRows> rows() throws IOException {
    for (TierTable table : tables.values()) {
      boolean unused = check.table(table, usage) != null;
    }
    List<Group> begun = begun();
    ProofStore store = new ProofStore(options.proofs(), check.conf());
    List<ProvenRows> rows = new ArrayList<>();
    boolean due = false;
    for (Policy.Entry entry : options.policy().entries()) {
      if (entry.idle() > 0 && check.isChosen(entry)) {
        due = true;
        List<String> metrics = options.policy().metrics(entry);
        List<Group> ofEntry =
            begun.stream().filter(group -> group.metrics().equals(metrics)).toList();
        begun.removeAll(ofEntry);
        for (Group group : ofEntry.isEmpty() ? stored(entry, store) : ofEntry) {
          rows.addAll(rows(entry, group));
        }
      }
    }
    for (Group group : options.match() == null ? begun : List.<Group>of()) {
      findings.add(
          ("series of %s have begun to go: the policy must have their entry, found none; bring it"
                  + " back, or run rollup-job tiers undo --idle")
              .formatted(String.join(",", group.metrics())));
    }
    if (!due) {
      usage.add("the policy must have an entry with idle, found none");
    }
    ProofCheck.require(usage, findings);
    return rows;
  }

  /** Groups of which some rows have begun to go: they must end, also if the proofs are replaced. */
  private List<Group> begun() throws IOException {
    List<List<Proof>> groups = new ArrayList<>();
    List<Group> begun = new ArrayList<>();
    for (MarkerDir dir : MarkerDir.existing(check.conf(), options.hfileDir())) {
      Proof proof = dir.isIdle() ? dir.storedProof() : null;
      if (proof != null) {
        if (dir.isUndoing()
            && !dir.isUndone()
            && (options.match() == null || options.match().equals(proof.policy().match()))) {
          findings.add(
              ("no undo of idle series of %s may have begun, found one in %s: end it with"
                      + " rollup-job tiers undo --idle")
                  .formatted(proof.policy().match(), dir));
        }
        List<Proof> same =
            groups.stream()
                .filter(group -> isOfGroup(group.get(0), proof))
                .findFirst()
                .orElseGet(
                    () -> {
                      groups.add(new ArrayList<>());
                      return groups.get(groups.size() - 1);
                    });
        same.add(proof);
      }
    }
    for (List<Proof> group : groups) {
      Map<String, Proof> proofs = new TreeMap<>();
      boolean loading = false;
      boolean left = false;
      for (Proof proof : group) {
        MarkerDir dir = dir(proof);
        proofs.put(proof.table(), proof);
        loading |= dir.loadingInto() != null;
        left |= !dir.isLoaded();
      }
      if (loading && left) {
        Proof any = group.get(0);
        if (group.size() <= any.rollups().size()) {
          findings.add(
              ("series of %s have begun to go, %s must have the directories of all their tables,"
                      + " found those of %s")
                  .formatted(any.policy().match(), options.hfileDir(), some(proofs.keySet())));
        } else {
          begun.add(new Group(dir(any).store(), proofs, true));
        }
      }
    }
    return begun;
  }

  private MarkerDir dir(Proof proof) throws IOException {
    return new MarkerDir(check.conf(), options.hfileDir(), proof.sha256());
  }

  /** Whether a proof is of the same group: of the same run, series and snapshots. */
  static boolean isOfGroup(Proof proof, Proof other) {
    Map<String, Proof.Source> sources = new TreeMap<>(proof.rollups());
    sources.put(proof.table(), proof.data());
    Map<String, Proof.Source> others = new TreeMap<>(other.rollups());
    others.put(other.table(), other.data());
    return other.ofIdleSeries()
        && other.series().equals(proof.series())
        && other.to().equals(proof.to())
        && other.provenAt().equals(proof.provenAt())
        && other.policy().equals(proof.policy())
        && others.equals(sources);
  }

  /** The group of an entry in the directory of proofs, if any; a finding if it is not whole. */
  private List<Group> stored(Policy.Entry entry, ProofStore store) {
    Map<String, Proof> proofs = new TreeMap<>();
    Proof first = null;
    int before = findings.size();
    for (String name : store.idleNames(options.policy().metrics(entry))) {
      Proof proof = ProofCheck.read(store, name, findings);
      if (proof == null) {
        continue;
      }
      first = first == null ? proof : first;
      if (!isOfGroup(first, proof)) {
        findings.add(
            ("proof %s must be about the same series, time and snapshots as %s, found others:"
                    + " run rollup-job tiers prove --idle")
                .formatted(name, first.fileName()));
      }
      proofs.put(proof.table(), proof);
    }
    if (first == null || findings.size() > before) {
      return List.of();
    }
    if (!proofs.keySet().equals(tables.keySet())) {
      findings.add(
          ("%s must have a proof of the idle series of %s for each of %s, found those of %s: run"
                  + " rollup-job tiers prove --idle")
              .formatted(
                  options.proofs(), entry.match(), some(tables.keySet()), some(proofs.keySet())));
      return List.of();
    }
    return List.of(new Group(store, proofs, false));
  }

  private static String some(Collection<String> tables) {
    return tables.isEmpty() ? "none" : String.join(", ", tables);
  }

  private List<ProvenRows> rows(Policy.Entry entry, Group group) throws IOException {
    List<ProvenRows> rows = new ArrayList<>();
    Proof any = group.proofs.values().iterator().next();
    IdleSeries series;
    try {
      series = group.store.series(any);
    } catch (JobException e) {
      if (e.exitCode() != ExitCode.BAD_INPUT) {
        throw e;
      }
      findings.add(e.getMessage());
      return rows;
    }
    if (!tables.keySet().containsAll(group.proofs.keySet())) {
      usage.add(
          "rollup_config.json must have the tables of which %s have begun to go, %s, found %s"
              .formatted(entry.match(), some(group.proofs.keySet()), some(tables.keySet())));
      return rows;
    }
    Instant due =
        Instant.ofEpochSecond(check.now().getEpochSecond() / DAY * DAY - entry.idle() * DAY);
    for (TierTable table : tables.values()) {
      Proof proof = group.proofs.get(table.level());
      if (proof == null) {
        continue;
      }
      List<String> problems = new ArrayList<>();
      ProvenRows found = check.rows(proof, entry, table, series, problems);
      // What has begun must end, in all tables: it was checked.
      if (found != null && !found.loaded() && !group.begun) {
        check.fresh(proof, problems);
        ProofCheck.must("the begin of its times", Instant.EPOCH, proof.from(), problems);
        if (proof.to().isAfter(due)) {
          problems.add(
              "its series must be idle since %s or before, found %s: prove again"
                  .formatted(due, proof.to()));
        }
      }
      problems.forEach(problem -> findings.add("proof " + proof.fileName() + ": " + problem));
      if (found != null) {
        rows.add(found);
      }
    }
    return rows;
  }
}
