package io.tsdbsuite.bulk.names;

import java.io.Serializable;

/**
 * A name of OpenTSDB, and the name of the source that became it.
 *
 * @param kind kind of the name
 * @param tag for a tag value the tag key in OpenTSDB, else empty
 * @param name the name in OpenTSDB
 * @param source the name in the source
 */
public record ChangedName(NameKind kind, String tag, String name, String source)
    implements Serializable {}
