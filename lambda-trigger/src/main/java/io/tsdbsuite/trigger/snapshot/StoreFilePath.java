package io.tsdbsuite.trigger.snapshot;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The path of the HFile to which a store file's name in a manifest refers.
 *
 * <pre>
 * name in the manifest                    the HFile belongs to
 * &lt;hfile&gt;                                 this table and region
 * [&lt;ns&gt;=]&lt;table&gt;=&lt;region&gt;-&lt;hfile&gt;          the table and region in the name (HFileLink of a clone)
 * &lt;hfile&gt;.&lt;parent&gt;                        this table, region parent (reference after a split)
 * [&lt;ns&gt;=]&lt;table&gt;=&lt;region&gt;-&lt;hfile&gt;.&lt;parent&gt; the table and region in the name (reference to a link)
 * </pre>
 *
 * HFile names are lower-case hexadecimal digits, followed by {@code _SeqId_<n>_} after a bulk load,
 * or by {@code _} and a region's name if it has MOB values; region names are hexadecimal digits.
 * The hyphen, the equals sign and the first dot after an HFile's name are therefore unambiguous
 * separators.
 *
 * @param table {@code <ns>/<table>}
 * @param path {@code <region>/<family>/<hfile>}
 */
record StoreFilePath(String table, String path) {
  private static final String DEFAULT_NAMESPACE = "default";
  private static final String HFILE = "([0-9a-f]+(?:_SeqId_[0-9]+_|_del|_[0-9a-f]+)?)";
  private static final Pattern NAME =
      Pattern.compile(
          "(?:(?:([a-zA-Z_0-9]+)=)?([a-zA-Z_0-9][a-zA-Z_0-9.-]*)=([a-f0-9]+)-)?"
              + HFILE
              + "(?:\\.([a-f0-9]+))?");

  /** The directory {@code <ns>/<table>} of a table. */
  static String tableDirectory(String namespace, String qualifier) {
    return (namespace == null || namespace.isEmpty() ? DEFAULT_NAMESPACE : namespace)
        + "/"
        + qualifier;
  }

  /**
   * Resolves a store file's name.
   *
   * @param table the region's table, {@code <ns>/<table>}
   * @param region the region's encoded name
   * @throws IllegalArgumentException when the name has none of the forms
   */
  static StoreFilePath of(String table, String region, String family, String name) {
    Matcher matcher = NAME.matcher(name);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'" + name + "' is neither an HFile nor a link nor a reference");
    }
    String hfile = matcher.group(4);
    if (matcher.group(2) != null) {
      return new StoreFilePath(
          tableDirectory(matcher.group(1), matcher.group(2)),
          matcher.group(3) + "/" + family + "/" + hfile);
    }
    String owner = matcher.group(5) == null ? region : matcher.group(5);
    return new StoreFilePath(table, owner + "/" + family + "/" + hfile);
  }
}
