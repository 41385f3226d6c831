import { spawnSync } from 'node:child_process'
import { dirname, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const checkLimitMs = 10_000
const longestTrace = 8

/** The folder of the kernel's modules, or of the bundle. */
const ownFolder = dirname(dirname(fileURLToPath(import.meta.url)))
/** Frames that do not help the author of a plugin: those of Node, of jiti and of this program. */
const isOwnFrame = (frame: string): boolean =>
  /^ {4}at (?:async )?(?:.* \()?(?:node:|orch\/|<anonymous>)/.test(frame) ||
  /[\\/]node_modules[\\/]jiti[\\/]/.test(frame) ||
  frame.includes(ownFolder + sep)

/** The frames outside of this program, as lines to print below a message. */
export function traceOf(thrown: unknown): string[] {
  const stack = thrown instanceof Error ? (thrown.stack ?? '') : ''
  const frames = stack.split('\n').filter(line => /^ {4}at /.test(line))
  return frames.filter(frame => !isOwnFrame(frame)).slice(0, longestTrace)
}

/**
 * The error of a module that does not load. Its message contains the place if the stack does not: for syntax errors,
 * and imports of names that a module does not export.
 */
export function withPlace(file: string, thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return thrown
  const [what = '', where = ''] = thrown.message.split('\n').map(line => line.trim())
  if (what.startsWith('ParseError: ') && /:\d+:\d+$/.test(where))
    return syntaxError(what.slice('ParseError: '.length), where, thrown)
  if (!(thrown instanceof SyntaxError)) return thrown
  const [first = ''] = thrown.message.split('\n')
  return syntaxError(first, placeIn(thrown.stack ?? '') ?? placeIn(complaintAbout(file)), thrown)
}

function syntaxError(what: string, where: string | undefined, cause: Error): SyntaxError {
  const error = new SyntaxError(where === undefined ? what : `${what} at ${where}`, { cause })
  error.stack = `${error.name}: ${error.message}`
  return error
}

/**
 * Node prints the place of a syntax error in a module only when the error ends the process. So another process imports
 * the module; none of its code runs, since linking fails first.
 */
function complaintAbout(file: string): string {
  const script = `import ${JSON.stringify(pathToFileURL(file).href)}`
  const words = ['--input-type=module', '--eval', script]
  return spawnSync(process.execPath, words, { encoding: 'utf8', timeout: checkLimitMs }).stderr ?? ''
}

/** The first line of that output is `file:line`. */
const placeIn = (text: string): string | undefined => /^(?:file:\/\/)?((?:\/|[A-Za-z]:)[^\n]+:\d+)\n/.exec(text)?.[1]
