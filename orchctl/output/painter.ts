/** Colours text, or leaves it unchanged. */
export interface Painter {
  bold(text: string): string
  good(text: string): string
  doubtful(text: string): string
  bad(text: string): string
  key(text: string): string
  faint(text: string): string
}

const styled = (code: number) => (text: string) => (text === '' ? '' : `\u001b[${code}m${text}\u001b[0m`)
const plain = (text: string) => text

/** Colours for a terminal. */
export const colouredPainter: Painter = {
  bold: styled(1),
  good: styled(32),
  doubtful: styled(33),
  bad: styled(31),
  key: styled(36),
  faint: styled(2),
}
/** For files, pipes and NO_COLOR. */
export const plainPainter: Painter = {
  bold: plain,
  good: plain,
  doubtful: plain,
  bad: plain,
  key: plain,
  faint: plain,
}

/** Values of status columns that are coloured. */
const moods: Readonly<Record<'good' | 'doubtful' | 'bad', ReadonlySet<string>>> = {
  good: new Set(['Running', 'Ready', 'Active', 'Bound', 'Succeeded', 'Completed', 'Available', 'Approved,Issued']),
  doubtful: new Set(['Pending', 'Terminating', 'ContainerCreating', 'Released', 'Unknown', 'Warning', 'Approved']),
  bad: new Set(['Failed', 'Error', 'CrashLoopBackOff', 'NotReady', 'Lost', 'Denied', 'ImagePullBackOff', 'Evicted']),
}
/** Colours a cell that contains a state; `text` may be padded. */
export function paintState(text: string, paint: Painter): string {
  const word = text.trimEnd()
  if (moods.good.has(word)) return paint.good(text)
  if (moods.doubtful.has(word)) return paint.doubtful(text)
  return moods.bad.has(word) ? paint.bad(text) : text
}

/** Chooses by `--color`, then NO_COLOR, then whether the output is a terminal. */
export function choosePainter(
  colorFlag: string | undefined,
  isTerminal: boolean,
  environment: Readonly<Record<string, string | undefined>>,
): Painter {
  if (colorFlag === 'always') return colouredPainter
  if (colorFlag === 'never' || environment['NO_COLOR'] || environment['TERM'] === 'dumb') return plainPainter
  return isTerminal ? colouredPainter : plainPainter
}
