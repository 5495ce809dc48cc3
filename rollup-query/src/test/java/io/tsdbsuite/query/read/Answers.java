package io.tsdbsuite.query.read;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.opentsdb.core.DataPoint;
import net.opentsdb.core.DataPoints;
import net.opentsdb.core.SeekableView;
import net.opentsdb.meta.Annotation;

/** Answers as lines of text: one for each head and each point. */
final class Answers {
  private static final Pattern POINT = Pattern.compile("(\\d+) (.*)");

  private Answers() {}

  static List<String> of(List<DataPoints[]> answers) {
    List<String> lines = new ArrayList<>();
    for (DataPoints[] answer : answers) {
      lines.add("sub-query");
      for (DataPoints group : answer) {
        lines.add(
            "group "
                + group.metricName()
                + new TreeMap<>(group.getTags())
                + new TreeSet<>(group.getAggregatedTags())
                + group.getTSUIDs()
                + group.getQueryIndex());
        List<String> notes = new ArrayList<>();
        if (group.getAnnotations() != null) {
          for (Annotation note : group.getAnnotations()) {
            notes.add("note " + note.getStartTime() + note.getDescription());
          }
        }
        notes.sort(null);
        lines.addAll(notes);
        try {
          SeekableView points = group.iterator();
          while (points.hasNext()) {
            DataPoint point = points.next();
            lines.add(
                point.timestamp()
                    + " "
                    + (point.isInteger() ? point.longValue() : point.doubleValue()));
          }
        } catch (RuntimeException e) {
          lines.add("failed: " + e.getClass().getSimpleName());
        }
      }
    }
    return lines;
  }

  /** The first difference; null if there is none. */
  static String difference(List<String> expected, List<String> got) {
    boolean notes = got.stream().anyMatch(line -> line.startsWith("note "));
    int e = 0;
    int g = 0;
    while (e < expected.size() || g < got.size()) {
      String a = e < expected.size() ? expected.get(e) : "end";
      String b = g < got.size() ? got.get(g) : "end";
      e++;
      g++;
      if (!a.equals(b) && !near(a, b)) {
        return "line "
            + e
            + " of "
            + expected.size()
            + "/"
            + got.size()
            + ": expected "
            + a
            + ", found "
            + b
            + (notes ? " (with annotations)" : "");
      }
    }
    return null;
  }

  private static boolean near(String a, String b) {
    Matcher one = POINT.matcher(a);
    Matcher two = POINT.matcher(b);
    if (!one.matches() || !two.matches() || !one.group(1).equals(two.group(1))) {
      return false;
    }
    double x = Double.parseDouble(one.group(2));
    double y = Double.parseDouble(two.group(2));
    return Math.abs(x - y) <= 1e-12 * Math.max(Math.abs(x), Math.abs(y));
  }
}
