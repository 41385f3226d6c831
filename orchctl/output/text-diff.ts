import { formatPatch, OMIT_HEADERS, type StructuredPatchHunk, structuredPatch } from 'diff'

const context = 3
/** The time is quadratic in the number of differing lines. With more of them the whole text is shown as removed and added. */
const maxEditLength = 500

/** The unified diff of two texts. Empty if they are the same. */
export function textDiff(before: string, after: string): string[] {
  const patch = structuredPatch('', '', before, after, '', '', { context, maxEditLength })
  const hunks = patch?.hunks ?? [replacement(before, after)]
  const text = formatPatch({ oldFileName: '', newFileName: '', oldHeader: '', newHeader: '', hunks }, OMIT_HEADERS)
  return hunks.length === 0 ? [] : text.replace(/\n$/, '').split('\n')
}

function replacement(before: string, after: string): StructuredPatchHunk {
  const linesOf = (text: string) => text.replace(/\n$/, '').split('\n')
  const [removed, added] = [linesOf(before), linesOf(after)]
  const lines = [...removed.map(line => `-${line}`), ...added.map(line => `+${line}`)]
  return { oldStart: 1, oldLines: removed.length, newStart: 1, newLines: added.length, lines }
}
