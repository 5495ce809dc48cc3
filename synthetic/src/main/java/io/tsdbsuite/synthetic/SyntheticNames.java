package io.tsdbsuite.synthetic;

import java.util.ArrayList;
import java.util.List;

/**
 * The names of synthetic series, which are numbered from 0.
 *
 * <pre>
 *   2 metrics, 300 sensors, 3 tags
 *   series 0     plant.temp1   sensor=s001  site=site01  region=region1
 *   series 317   plant.temp2   sensor=s018  site=site02  region=region1
 * </pre>
 */
public final class SyntheticNames {
  private static final String[] TAG_KEYS = {
    "sensor", "site", "region", "country", "continent", "planet", "star", "galaxy"
  };
  private static final int GROUP_BITS = 4;

  private final SyntheticShape shape;

  /** The names of a shape. */
  public SyntheticNames(SyntheticShape shape) {
    this.shape = shape;
  }

  /** Name of the metric of a series. */
  public String metric(int series) {
    return shape.metrics() == 1
        ? shape.metric()
        : shape.metric() + padded(shape.metricOf(series), shape.metrics());
  }

  /** Keys and values of the tags of a series, in turn. */
  public List<String> tags(int series) {
    List<String> tags = new ArrayList<>(shape.tags() * 2);
    for (int tag = 0; tag < shape.tags(); tag++) {
      int bits = tag * GROUP_BITS;
      String value = tag == 0 ? "s" : TAG_KEYS[tag];
      tags.add(TAG_KEYS[tag]);
      tags.add(value + padded(shape.sensorOf(series) >> bits, ((shape.sensors() - 1) >> bits) + 1));
    }
    return List.copyOf(tags);
  }

  /** Counts from 1, all as long as the last one. */
  private static String padded(int number, int howMany) {
    String last = String.valueOf(howMany);
    String text = String.valueOf(number + 1);
    return "0".repeat(last.length() - text.length()) + text;
  }
}
