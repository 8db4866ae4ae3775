// SPDX-License-Identifier: Apache-2.0
/** Forms of posting lists: the contract, the registry, chunks and the reader. */
package io.shapeshift.druid.form.postings;
