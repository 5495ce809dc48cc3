package io.tsdbsuite.format.snapshot;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The HFile to which the name of a store file in a manifest refers:
 *
 * <pre>
 * name in the manifest                    the HFile is of
 * &lt;hfile&gt;                                 the table and region whose files have the name
 * [&lt;ns&gt;=]&lt;table&gt;=&lt;region&gt;-&lt;hfile&gt;          the table and region in the name (HFileLink of a clone)
 * &lt;hfile&gt;.&lt;parent&gt;                        this table, region parent (reference after a split)
 * [&lt;ns&gt;=]&lt;table&gt;=&lt;region&gt;-&lt;hfile&gt;.&lt;parent&gt; the table and region in the name (reference to a link)
 * </pre>
 *
 * Names of HFiles are lower-case hexadecimal digits, then {@code _SeqId_<n>_} after a bulk load,
 * {@code _del}, or {@code _} and a region if it has MOB values; a parent has 32 digits. So the
 * hyphen, the equals signs and the dot after an HFile are unambiguous, whatever letters a table
 * has. The forms are those of HBase 2.6 (StoreFileInfo, HFileLink, TableName), with which
 * StoreFileRulesTest of hbase-files compares them.
 */
public final class StoreFileName {
  private static final String DEFAULT_NAMESPACE = "default";
  private static final Pattern HFILE =
      Pattern.compile("[0-9a-f]+(?:_SeqId_[0-9]+_|_del|_[0-9a-f]+)?");
  private static final Pattern NAME =
      Pattern.compile(
          "(?:(?:([_\\p{Digit}\\p{IsAlphabetic}]+)=)?"
              + "([_\\p{Digit}\\p{IsAlphabetic}][-_.\\p{Digit}\\p{IsAlphabetic}]*)=([0-9a-f]+)-)?"
              + "("
              + HFILE.pattern()
              + ")(?:\\.([0-9a-f]{32}))?");

  private final boolean link;
  private final String namespace;
  private final String qualifier;
  private final String region;
  private final String hfile;

  private StoreFileName(String namespace, String qualifier, String region, Matcher name) {
    this.link = name.group(2) != null;
    this.hfile = name.group(4);
    if (link) {
      this.namespace = name.group(1) == null ? DEFAULT_NAMESPACE : name.group(1);
      this.qualifier = name.group(2);
      this.region = name.group(3);
    } else {
      this.namespace = namespace.isEmpty() ? DEFAULT_NAMESPACE : namespace;
      this.qualifier = qualifier;
      this.region = name.group(5) == null ? region : name.group(5);
    }
  }

  /**
   * Finds the HFile of a name.
   *
   * @param namespace of the table whose manifest has the name; empty for the default one
   * @param qualifier name of that table in its namespace
   * @param region encoded name of the region whose files have the name
   * @throws IllegalArgumentException when the name has none of the forms
   */
  public static StoreFileName of(String namespace, String qualifier, String region, String name) {
    Matcher matcher = NAME.matcher(name);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'" + name + "' is neither an HFile nor a link nor a reference");
    }
    return new StoreFileName(namespace, qualifier, region, matcher);
  }

  /** Whether a name is that of an HFile itself, also of one with MOB values. */
  public static boolean isHFile(String name) {
    return HFILE.matcher(name).matches();
  }

  /** Whether a name is that of a reference after a split, to an HFile or to a link. */
  public static boolean isReference(String name) {
    Matcher matcher = NAME.matcher(name);
    return matcher.matches() && matcher.group(5) != null;
  }

  /** Whether the HFile is of the table and region in the name. */
  public boolean isLink() {
    return link;
  }

  /** The namespace of the HFile's table, {@code default} for the default one. */
  public String namespace() {
    return namespace;
  }

  /** The name of the HFile's table in its namespace. */
  public String qualifier() {
    return qualifier;
  }

  /** The encoded name of the HFile's region. */
  public String region() {
    return region;
  }

  /** The name of the HFile. */
  public String hfile() {
    return hfile;
  }
}
