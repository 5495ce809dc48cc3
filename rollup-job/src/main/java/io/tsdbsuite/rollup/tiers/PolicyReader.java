package io.tsdbsuite.rollup.tiers;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.rollup.error.JsonFailures;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import io.tsdbsuite.rollup.tiers.Policy.Entry;
import io.tsdbsuite.rollup.verify.RegionNames;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads a policy and finds all its problems. For one use.
 *
 * <pre>
 *   [{"match": "app.*", "raw": "30d", "1h": "13M", "1d": "5y"}, {"match": "*", "idle": "1y"}]
 * </pre>
 */
public final class PolicyReader {
  /** A larger file is refused. */
  public static final int MAX_BYTES = 1 << 20;

  /** The floor of an entry excludes the patterns of those before, and may have 100 patterns. */
  private static final int MAX_ENTRIES = 100;

  private static final int MAX_PATTERN = 256;
  private static final int MAX_DAYS = 36_500;
  private static final int MAX_SHOWN = 100;

  /** Greatest age of the snapshots of a proof: a series may be written between them and apply. */
  private static final int MIN_IDLE = 7;

  /** A longer time would begin before the epoch. */
  private static final int MAX_IDLE = 50 * 365;

  private static final String MATCH = "match";

  private static final Pattern KEEP = Pattern.compile("([1-9][0-9]{0,4})([dwMy])");

  /** Characters of regular expressions and of lists of patterns. */
  private static final Pattern NO_PATTERN = Pattern.compile("^!|[\\^$\\\\()\\[\\]{}|+,\\p{Cntrl}]");

  private final RollupConfig rollups;
  private final List<String> problems = new ArrayList<>();

  private PolicyReader(RollupConfig rollups) {
    this.rollups = rollups;
  }

  /**
   * Reads a policy.
   *
   * @param json the file, at most {@link #MAX_BYTES}
   * @param rollups the intervals that have tables
   * @param problems receives the problems found, each with its entry, the rule and the value
   */
  public static Policy read(byte[] json, RollupConfig rollups, List<String> problems) {
    PolicyReader reader = new PolicyReader(rollups);
    Policy policy = new Policy(reader.entries(json), RegionNames.sha256(json));
    if (reader.problems.isEmpty()) {
      reader.selections(policy);
    }
    problems.addAll(reader.problems);
    return policy;
  }

  private List<Entry> entries(byte[] json) {
    ObjectMapper mapper = new ObjectMapper();
    mapper.configure(JsonParser.Feature.STRICT_DUPLICATE_DETECTION, true);
    mapper.configure(DeserializationFeature.FAIL_ON_TRAILING_TOKENS, true);
    JsonNode root;
    try {
      // With other characters an entry that is to keep a metric would not match it.
      root = mapper.readTree(UTF_8.newDecoder().decode(ByteBuffer.wrap(json)).toString());
    } catch (CharacterCodingException e) {
      problems.add("must be UTF-8, found other bytes");
      return List.of();
    } catch (JsonProcessingException e) {
      problems.add("must be JSON: " + JsonFailures.describe(e));
      return List.of();
    }
    if (!root.isArray() || root.isEmpty() || root.size() > MAX_ENTRIES) {
      problems.add(
          "must be a JSON array of 1 to %s entries, found %s"
              .formatted(MAX_ENTRIES, root.isArray() ? root.size() : root.getNodeType()));
      return List.of();
    }
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < root.size(); i++) {
      String where = "entry " + (i + 1);
      if (root.get(i).isObject()) {
        entries.add(entry(where, root.get(i)));
      } else {
        problems.add(where + " must be an object, found " + root.get(i).getNodeType());
      }
    }
    if (problems.isEmpty()) {
      compare(entries);
    }
    return List.copyOf(entries);
  }

  private Entry entry(String where, JsonNode json) {
    Map<String, Integer> keep = new LinkedHashMap<>();
    json.properties()
        .forEach(
            field -> {
              if (!field.getKey().equals(MATCH)) {
                keep(where, field.getKey(), field.getValue(), keep);
              }
            });
    Integer idle = keep.remove(Policy.IDLE);
    order(where, keep);
    if (idle != null) {
      idle(where, idle, keep);
    }
    return new Entry(match(where, json.get(MATCH)), keep, idle == null ? 0 : idle);
  }

  private String match(String where, @Nullable JsonNode json) {
    String text = json == null || !json.isTextual() ? "" : json.textValue();
    if (text.isEmpty() || text.length() > MAX_PATTERN || NO_PATTERN.matcher(text).find()) {
      problems.add(
          ("%s: match must be one pattern of metrics as for --metrics, at most %s characters"
                  + " (app.*; no regular expression: write ? for a character of one), found %s")
              .formatted(where, MAX_PATTERN, shown(json)));
    }
    return text;
  }

  private void keep(String where, String key, JsonNode json, Map<String, Integer> keep) {
    if (Level.isHistogram(key)) {
      problems.add(
          "%s: a key must not be of histograms, whose tables keep everything, found %s"
              .formatted(where, shown(key)));
      return;
    }
    RollupInterval interval = rollups.interval(key);
    if (!key.equals(Policy.RAW)
        && !key.equals(Policy.IDLE)
        && (interval == null || !isMade(interval))) {
      problems.add(
          ("%s: a key must be match, idle, raw or an interval of rollup_config.json that rollup-job"
                  + " makes, found %s")
              .formatted(where, shown(key)));
      return;
    }
    Matcher text = KEEP.matcher(json.isTextual() ? json.textValue() : "");
    long days = text.matches() ? Long.parseLong(text.group(1)) * unit(text.group(2)) : 0;
    if (days < 1 || days > MAX_DAYS) {
      problems.add(
          ("%s: %s must be a number and one of the units d w M y (a day, a week, 30 and 365 days),"
                  + " at most 100y, found %s")
              .formatted(where, key, shown(json)));
      return;
    }
    keep.put(key, (int) days);
  }

  /** Whether rollup-job makes an interval. */
  public static boolean isMade(RollupInterval interval) {
    return !interval.defaultInterval() && interval.dividesHourOrDay();
  }

  private static int unit(String unit) {
    return switch (unit) {
      case "d" -> 1;
      case "w" -> 7;
      case "M" -> 30;
      default -> 365;
    };
  }

  /** A value for a message. */
  private static String shown(@Nullable Object found) {
    String text = found == null ? "nothing" : found.toString();
    return text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN) + "...";
  }

  /** Rollups must outlive what they are made of; what no rollup outlives can never be proven. */
  private void order(String where, Map<String, Integer> keep) {
    List<RollupInterval> wider =
        rollups.intervals().stream()
            .filter(each -> !each.defaultInterval())
            .sorted(Comparator.comparingLong(RollupInterval::seconds))
            .toList();
    if (wider.isEmpty() && keep.containsKey(Policy.RAW)) {
      problems.add(
          where + ": raw must have rollups that outlive it, found none in rollup_config.json");
    }
    String narrower = Policy.RAW;
    String unprovable = "";
    for (RollupInterval interval : wider) {
      Integer days = keep.get(interval.interval());
      if (days == null) {
        continue;
      }
      Integer before = keep.get(narrower);
      if (before == null || days <= before) {
        problems.add(
            "%s: %s must be kept longer than %s, found %sd, and %s"
                .formatted(
                    where,
                    interval.interval(),
                    narrower,
                    days,
                    before == null ? narrower + " for ever" : before + "d"));
      }
      if (!unprovable.isEmpty()) {
        problems.add(
            "%s: %s: leave %s out, because rows of %s go only after its rows"
                .formatted(where, unprovable, narrower, interval.interval()));
      }
      narrower = interval.interval();
      unprovable = unprovable(interval, wider.stream().filter(PolicyReader::isMade).toList());
    }
  }

  /** Of a series that is idle for longer than all tables keep data, nothing is left to go. */
  private void idle(String where, int idle, Map<String, Integer> keep) {
    if (idle < MIN_IDLE || idle > MAX_IDLE) {
      problems.add(
          "%s: idle must be at least %sd, the greatest age of a proof, and at most 50y, found %sd"
              .formatted(where, MIN_IDLE, idle));
    }
    boolean isAll =
        keep.containsKey(Policy.RAW)
            && rollups.intervals().stream()
                .filter(PolicyReader::isMade)
                .allMatch(each -> keep.containsKey(each.interval()));
    int longest = keep.values().stream().mapToInt(days -> days).max().orElse(0);
    if (isAll && idle >= longest) {
      problems.add(
          "%s: idle must be shorter than what its tables keep (%sd), or nothing is left to go,"
                  .formatted(where, longest)
              + " found %sd".formatted(idle));
    }
  }

  /**
   * Why no row of a rollup table can be proven, whatever it has; empty if one can.
   *
   * @param all that rollup-job makes, the narrowest first
   */
  public static String unprovable(RollupInterval interval, List<RollupInterval> all) {
    if (interval.rowSpan().endsWith("h")) {
      return "%s must have a rowSpan of a day or more to be proven, found %s"
          .formatted(interval.interval(), interval.rowSpan());
    }
    List<RollupInterval> wider =
        all.stream().filter(each -> each.seconds() > interval.seconds()).toList();
    return wider.isEmpty()
            || wider.stream().anyMatch(each -> each.seconds() % interval.seconds() == 0)
        ? ""
        : "%s must have a multiple among the wider intervals to be proven, found %s"
            .formatted(interval.interval(), RollupIntervals.text(all));
  }

  /** A floor must be able to say the metrics of an entry. */
  private void selections(Policy policy) {
    for (Entry entry : policy.entries()) {
      String metrics = String.join(",", policy.metrics(entry));
      if (!CoverageRows.isSelection(metrics)) {
        problems.add(
            ("entry %s: match and the patterns of earlier entries inside it must have at most 4096"
                    + " bytes together, found %s, %s characters")
                .formatted(
                    policy.entries().indexOf(entry) + 1, shown(entry.match()), metrics.length()));
      }
    }
  }

  /** A later entry may match more metrics than one before, or others. */
  private void compare(List<Entry> entries) {
    for (int i = 0; i < entries.size(); i++) {
      for (int j = i + 1; j < entries.size(); j++) {
        Entry first = entries.get(i);
        Entry then = entries.get(j);
        String both =
            "entries %s and %s, %s and %s, ".formatted(i + 1, j + 1, first.match(), then.match());
        if (first.glob().contains(then.glob())) {
          problems.add(both + "must not match the same metrics: the second would never count");
        } else if (first.glob().shares(then.glob()) && !then.glob().contains(first.glob())) {
          problems.add(
              both
                  + "must not overlap in part: let one match no metric of the other, or all of"
                  + " them");
        }
      }
    }
  }
}
