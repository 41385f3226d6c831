import { PassThrough, Writable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { ownValue } from 'orch/sdk'
import { type Command, type CommandWorld, killedExitCode, write } from './command.js'
import { commands } from './commands.js'
import { FileError, maxTreeBytes } from './file-tree.js'
import { StepLimitExceeded } from './pace.js'

/** The limit of a typed line or a script. */
const maxScriptBytes = 64 * 1024
/** The limit after variables are expanded; their values may be long and used many times. */
const maxExpandedLength = 1024 * 1024
const maxDepth = 8
/** Commands that are connected run at the same time. */
const maxPipeline = 64

/** Placeholder for `$?` in a word until its command runs: only then is the code known. */
const lastCode = '\0'

type Token = { readonly text: string; readonly isOperator: boolean }
const operators = /^(?:&&|\|\||>>|[;|>\n])/

/** Splits a script into words and operators, and expands variables. */
function tokensOf(script: string, variable: (name: string) => string): Token[] {
  const tokens: Token[] = []
  let word: string | undefined
  const end = () => {
    if (word !== undefined) tokens.push({ text: word, isOperator: false })
    word = undefined
  }
  const reference = /\$(?:(\w+|\?)|\{(\w+)\})/y
  for (let at = 0; at < script.length; ) {
    const char = script[at] as string
    const operator = operators.exec(script.slice(at, at + 2))?.[0]
    reference.lastIndex = at
    const [whole, plain, braced] = reference.exec(script) ?? []
    if (operator) {
      end()
      tokens.push({ text: operator === '\n' ? ';' : operator, isOperator: true })
      at += operator.length
    } else if (char === "'" || char === '"') {
      const close = script.indexOf(char, at + 1)
      if (close < 0) throw new SyntaxError('unterminated quoted string')
      const quoted = script.slice(at + 1, close)
      word =
        (word ?? '') +
        (char === "'" ? quoted : quoted.replace(/\$(?:(\w+|\?)|\{(\w+)\})/g, (_, a, b) => variable(a ?? b)))
      at = close + 1
    } else if (whole !== undefined) {
      word = (word ?? '') + variable(plain ?? braced ?? '')
      at += whole.length
    } else if (char === '#' && word === undefined) {
      const line = script.indexOf('\n', at)
      at = line < 0 ? script.length : line
    } else if (char === ' ' || char === '\t' || char === '\r') {
      end()
      at++
    } else {
      const escaped = char === '\\' ? (script[at + 1] ?? '') : char
      word = (word ?? '') + escaped
      at += char === '\\' ? 2 : 1
    }
  }
  end()
  return tokens
}

/** Runs the program of a process, within the bounds of its pace. */
export async function runProcess(words: readonly string[], world: CommandWorld): Promise<number> {
  try {
    return await runProgram(words, world)
  } catch (error) {
    if (!(error instanceof StepLimitExceeded)) throw error
    await write(world.error, `killed: ${error.message}\n`)
    return killedExitCode
  }
}

/**
 * Runs one program by name. The error for an unknown program mentions the simulation, so that users do not look for it
 * in an image.
 */
async function runProgram(words: readonly string[], world: CommandWorld, depth = 0): Promise<number> {
  const [path = '', ...rest] = words
  const name = path.replace(/^\/(usr\/)?(s?bin)\//, '')
  if (shells.has(name)) return shell(rest, world, depth + 1)
  const command = ownValue<Command>(commands, name)
  if (command)
    return command(rest, world).catch(async error => {
      if (!(error instanceof FileError)) throw error
      await write(world.error, `${name}: ${error.message}\n`)
      return 1
    })
  const known = [...Object.keys(commands), ...shells].sort().join(' ')
  await write(world.error, `${path}: not found: this container is simulated and has only ${known}\n`)
  return 127
}

const shells = new Set(['sh', 'bash', 'ash'])

/** `sh -c SCRIPT`, or a shell that reads its input line by line. */
async function shell(words: readonly string[], world: CommandWorld, depth: number): Promise<number> {
  if (depth > maxDepth) return 126
  const state: ShellState = { code: 0, hasExited: false, depth }
  const script = /^-[a-z]*c$/.test(words[0] ?? '') ? words[1] : undefined
  if (script !== undefined) {
    await runScript(script, world, state)
    return state.code
  }
  const decoder = new StringDecoder('utf8')
  world.prompt?.()
  let pending = ''
  for await (const chunk of world.input) {
    pending += decoder.write(chunk as Buffer)
    for (let end = pending.indexOf('\n'); end >= 0 && !state.hasExited; end = pending.indexOf('\n')) {
      const line = pending.slice(0, end)
      pending = pending.slice(end + 1)
      await world.pace.step()
      // Commands have no input: the input is the script of the shell.
      await runScript(line, { ...world, input: ended() }, state)
      if (!state.hasExited) world.prompt?.()
    }
    if (state.hasExited) return state.code
    if (pending.length > maxScriptBytes) return 2
  }
  if (pending !== '') await runScript(pending, { ...world, input: ended() }, state)
  return state.code
}

function ended(): PassThrough {
  const stream = new PassThrough()
  stream.end()
  return stream
}

interface ShellState {
  code: number
  hasExited: boolean
  readonly depth: number
}

async function runScript(script: string, world: CommandWorld, state: ShellState): Promise<void> {
  let expandedLength = script.length
  const variable = (name: string) => {
    const value = name === '?' ? lastCode : (ownValue(world.environment, name) ?? '')
    expandedLength += value.length
    if (expandedLength > maxExpandedLength) throw new SyntaxError('too long')
    return value
  }
  let tokens: Token[]
  try {
    if (script.length > maxScriptBytes) throw new SyntaxError('too long')
    tokens = tokensOf(script, variable)
  } catch (error) {
    await write(world.error, `sh: syntax error: ${(error as Error).message}\n`)
    state.code = 2
    return
  }
  let pipeline: string[][] = [[]]
  let target: { path: string; isMore: boolean } | undefined
  let mayRun = true
  const flush = async () => {
    await world.pace.step()
    if (mayRun && pipeline.some(words => words.length > 0)) await runPipeline(pipeline, target, world, state)
    pipeline = [[]]
    target = undefined
  }
  for (let i = 0; i < tokens.length && !state.hasExited && !world.signal.aborted; i++) {
    const { text, isOperator } = tokens[i] as Token
    if (!isOperator) pipeline.at(-1)?.push(text)
    else if (text === '|') pipeline.push([])
    else if (text.startsWith('>')) target = { path: tokens[++i]?.text ?? '', isMore: text === '>>' }
    else {
      await flush()
      mayRun = text === ';' || (text === '&&') === (state.code === 0)
    }
  }
  if (!state.hasExited) await flush()
}

async function runPipeline(
  written: readonly string[][],
  target: { path: string; isMore: boolean } | undefined,
  world: CommandWorld,
  state: ShellState,
): Promise<void> {
  const pipeline = written.map(words => words.map(word => word.replaceAll(lastCode, String(state.code))))
  const [first = []] = pipeline
  if (pipeline.length === 1 && first[0] === 'exit') {
    if (first[1] !== undefined) state.code = Number(first[1]) & 255
    state.hasExited = true
    return
  }
  if (pipeline.length > maxPipeline) {
    await write(world.error, `sh: more than ${maxPipeline} commands in a pipeline\n`)
    state.code = 2
    return
  }
  const content: Buffer[] = []
  const last = target ? collector(content) : world.output
  let input = world.input
  const running = pipeline.map((words, i) => {
    const isLast = i === pipeline.length - 1
    const output = isLast ? last : new PassThrough()
    const own = { ...world, input, output }
    if (output instanceof PassThrough) input = output
    const code = runProgram(words, own, state.depth)
    return isLast ? code : code.finally(() => output.end())
  })
  state.code = (await Promise.all(running)).at(-1) ?? 0
  if (!target) return
  try {
    const before = target.isMore && world.files.get(target.path) ? [world.files.read(target.path)] : []
    world.files.write(target.path, Buffer.concat([...before, ...content]))
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    await write(world.error, `sh: ${error.message}\n`)
    state.code = 1
  }
}

/** Collects output for a file. Stops once it exceeds the maximum size, so that the write to the file fails. */
function collector(written: Buffer[]): Writable {
  let bytes = 0
  return new Writable({
    write(chunk: Buffer, _, done) {
      if (bytes <= maxTreeBytes) written.push(chunk)
      bytes += chunk.length
      done()
    },
  })
}
