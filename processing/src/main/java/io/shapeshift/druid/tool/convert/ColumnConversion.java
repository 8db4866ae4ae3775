// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.convert;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.shapeshift.druid.tool.encoding.FormUsage;
import java.util.Map;
import javax.annotation.Nullable;

/**
 * What became of a column's dictionary ids.
 *
 * @param name        the column
 * @param projection  the projection that it is of; absent for the base table
 * @param from        how the ids were stored
 * @param to          how they are stored now
 * @param bytesBefore size of the ids before
 * @param bytesAfter  size of the ids now
 * @param forms       by name of the form, what it holds now; empty unless the ids shape-shift
 * @param note        why they are as they were; absent if they are not
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ColumnConversion(
    String name,
    @Nullable String projection,
    String from,
    String to,
    long bytesBefore,
    long bytesAfter,
    Map<String, FormUsage> forms,
    @Nullable String note
) {}
