package io.tsdbsuite.format.histogram;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.format.rollup.SuiteConfig;
import io.tsdbsuite.format.schema.SchemaException;
import io.tsdbsuite.format.schema.StorageSchema;
import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The codecs of a TSD's histograms and the ids under which cells name them, {@code
 * tsd.core.histograms.config}. Immutable. Source: docs/histogram-codec.md.
 */
public final class HistogramCodecs implements Serializable {
  /** The class of the codec of {@link Sketch}. */
  public static final String SKETCH = "io.tsdbsuite.histogram.SketchCodec";

  /** The class of OpenTSDB's own codec. */
  public static final String SIMPLE = "net.opentsdb.core.SimpleHistogramDecoder";

  /** No codecs. */
  public static final HistogramCodecs NONE = new HistogramCodecs(Collections.emptyMap());

  private static final long serialVersionUID = 1L;

  /** A cell holds an id as a signed byte; a TSD refuses cells with a negative one. */
  private static final int MAX_ID = 127;

  private final HashMap<String, Integer> ids;
  private final HashMap<Integer, String> codecs = new HashMap<>();

  private HistogramCodecs(Map<String, Integer> ids) {
    this.ids = new HashMap<>(ids);
    ids.forEach((codec, id) -> codecs.put(id, codec));
  }

  /**
   * Reads the value of {@code tsd.core.histograms.config}: the path of a file if it ends in {@code
   * .json}, else inline JSON.
   *
   * @throws IOException when the file cannot be read
   * @throws SchemaException with all problems, when it is no object of class names with ids of 0 to
   *     127, each once
   */
  public static HistogramCodecs load(String pathOrInlineJson) throws IOException {
    if (pathOrInlineJson.endsWith(".json")) {
      byte[] json = Files.readAllBytes(Paths.get(pathOrInlineJson));
      return parse(pathOrInlineJson, new String(json, StandardCharsets.UTF_8));
    }
    return parse("histogram codecs", pathOrInlineJson);
  }

  /**
   * The codecs of an installation whose rollup_config.json has suite.histograms.
   *
   * @param suite of rollup_config.json
   * @param location as for {@link #load}; null if there is none
   * @param problems receives what the installation lacks for histograms of rollups, all of it
   * @throws IOException when the file cannot be read
   */
  public static HistogramCodecs ofRollups(
      StorageSchema schema, SuiteConfig suite, @Nullable String location, Consumer<String> problems)
      throws IOException {
    Set<String> others =
        new HashSet<>(
            Arrays.asList(
                schema.dataTable(), schema.uidTable(), schema.metaTable(), schema.treeTable()));
    others.retainAll(suite.histogramTables());
    if (!others.isEmpty()) {
      problems.accept(
          "suite.histogramTables of rollup_config.json: must not be tables of points, UIDs, meta"
              + " data or trees, found "
              + new TreeSet<>(others));
    }
    if (schema.useOtsdbTimestamp()) {
      problems.accept(
          "suite.histograms of rollup_config.json: tsd.storage.use_otsdb_timestamp must be off,"
              + " since a TSD would not find the cells, found on");
    }
    if (schema.tagRaw()) {
      problems.accept(
          "suite.histograms of rollup_config.json: "
              + StorageSchema.ROLLUPS_TAG_RAW
              + " must be off, found on");
    }
    try {
      HistogramCodecs codecs = location == null ? NONE : load(location);
      if (codecs.id(SKETCH) == null) {
        problems.accept(
            StorageSchema.HISTOGRAMS_CONFIG
                + ": suite.histograms of rollup_config.json needs an id of "
                + SKETCH
                + ", found none");
      }
      return codecs;
    } catch (SchemaException e) {
      e.problems().forEach(each -> problems.accept(StorageSchema.HISTOGRAMS_CONFIG + ": " + each));
      return NONE;
    }
  }

  private static HistogramCodecs parse(String source, String json) {
    List<String> problems = new ArrayList<>();
    Map<String, Integer> ids = new TreeMap<>();
    JsonNode root = null;
    try {
      ObjectMapper mapper = new ObjectMapper();
      mapper.configure(JsonParser.Feature.STRICT_DUPLICATE_DETECTION, true);
      root = mapper.readTree(json);
    } catch (IOException e) {
      problems.add("must be JSON, found " + e.getMessage());
    }
    if (root != null && root.isObject()) {
      root.fields().forEachRemaining(each -> add(each.getKey(), each.getValue(), ids, problems));
    } else if (problems.isEmpty()) {
      problems.add("must be an object of class names with ids, found " + root);
    }
    if (!problems.isEmpty()) {
      throw new SchemaException(source, problems);
    }
    return new HistogramCodecs(ids);
  }

  private static void add(
      String codec, JsonNode id, Map<String, Integer> ids, List<String> problems) {
    if (!id.isInt() || id.intValue() < 0 || id.intValue() > MAX_ID) {
      problems.add(codec + ": must have an id of 0 to " + MAX_ID + ", found " + id);
    } else if (ids.containsValue(id.intValue())) {
      problems.add(codec + ": must have an id of its own, found " + id);
    } else {
      ids.put(codec, id.intValue());
    }
  }

  /** The ids by class. */
  public Map<String, Integer> ids() {
    return new TreeMap<>(ids);
  }

  /** The class of the codec with an id; null if there is none. */
  public @Nullable String codec(int id) {
    return codecs.get(id);
  }

  /** The id of a codec's class; null if it has none. */
  public @Nullable Integer id(String codec) {
    return ids.get(codec);
  }
}
