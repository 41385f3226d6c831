/** Maximum total size of annotation keys and values. */
export const maxAnnotationBytes = 256 * 1024

/** Whether the total size exceeds the limit. */
export function areAnnotationsTooLarge(annotations: Readonly<Record<string, string>>): boolean {
  let length = 0
  for (const key in annotations) length += key.length + annotations[key]!.length
  // A UTF-16 unit is at most three bytes in UTF-8, so few annotations need an exact count.
  if (length * 3 <= maxAnnotationBytes) return false
  let bytes = 0
  for (const key in annotations) bytes += Buffer.byteLength(key) + Buffer.byteLength(annotations[key]!)
  return bytes > maxAnnotationBytes
}
