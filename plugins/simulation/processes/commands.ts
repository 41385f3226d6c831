import { posix } from 'node:path'
import { type Command, type CommandWorld, copy, pause, write } from './command.js'
import { FileError, FileTree, maxTreeBytes } from './file-tree.js'
import { StepLimitExceeded } from './pace.js'
import { archiveEnd, archiveEntry, readArchive } from './tar.js'

const printError = async ({ error }: CommandWorld, text: string, code = 1): Promise<number> => {
  await write(error, `${text}\n`)
  return code
}
const optionsOf = (words: readonly string[]) => words.filter(word => word.startsWith('-') && word !== '-').join('')
const operandsOf = (words: readonly string[]) => words.filter(word => !word.startsWith('-') || word === '-')

/** Processes each operand; errors are printed and do not stop the others. */
async function eachOf(
  name: string,
  operands: readonly string[],
  world: CommandWorld,
  act: (operand: string) => void | Promise<void>,
): Promise<number> {
  let code = 0
  for (const operand of operands) {
    await world.pace.step()
    try {
      await act(operand)
    } catch (error) {
      if (!(error instanceof FileError)) throw error
      code = await printError(world, `${name}: ${error.message}`)
    }
  }
  return code
}

const echo: Command = async (words, { output }) => {
  const isBare = words[0] === '-n'
  await write(output, `${words.slice(isBare ? 1 : 0).join(' ')}${isBare ? '' : '\n'}`)
  return 0
}

const cat: Command = (words, world) =>
  eachOf('cat', words.length === 0 ? ['-'] : words, world, path =>
    path === '-' ? copy(world.input, world.output) : write(world.output, world.files.read(path)),
  )

const list: Command = (words, world) => {
  const { files, output } = world
  const operands = operandsOf(words)
  return eachOf('ls', operands.length === 0 ? ['/'] : operands, world, async path => {
    if (!files.get(path)) throw new FileError(`${path}: No such file or directory`)
    const names = files.isFolder(path) ? files.names(path) : [path]
    await write(output, names.map(name => `${name}\n`).join(''))
  })
}

const test: Command = async (words, { files }) => {
  const [first = '', second, third] = words.at(-1) === ']' ? words.slice(0, -1) : words
  if (third !== undefined) return (second === '=' && first === third) || (second === '!=' && first !== third) ? 0 : 1
  if (second === undefined) return first === '' ? 1 : 0
  const entry = files.get(second)
  const holds: Readonly<Record<string, boolean>> = {
    '-d': entry?.isFolder === true,
    '-e': entry !== undefined,
    '-f': entry?.isFolder === false,
    '-n': second !== '',
    '-z': second === '',
  }
  return holds[first] ? 0 : 1
}

const makeFolders: Command = (words, world) =>
  eachOf('mkdir', operandsOf(words), world, path => world.files.makeFolder(path))

const remove: Command = (words, world) =>
  eachOf('rm', operandsOf(words), world, path => {
    const isForced = /f/.test(optionsOf(words))
    if (!world.files.get(path) && !isForced) throw new FileError(`${path}: No such file or directory`)
    if (world.files.isFolder(path) && !/[rR]/.test(optionsOf(words))) throw new FileError(`${path}: Is a directory`)
    world.files.remove(path)
  })

const environment: Command = async (_, { output, environment: variables }) => {
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`)
  await write(output, lines.join(''))
  return 0
}

const sleep: Command = async (words, { signal }) => {
  const seconds = words[0] === 'infinity' ? 2 ** 31 / 1000 - 1 : Number.parseFloat(words[0] ?? '')
  if (!(seconds >= 0)) return 1
  await pause(Math.min(seconds * 1000, 2 ** 31 - 1), signal)
  return 0
}

/** Only `-c+N`, which `kubectl cp` uses to resume an interrupted copy. */
const tail: Command = async (words, world) => {
  const from = /^-c\+(\d+)$/.exec(words.join(''))?.[1]
  if (from === undefined) return printError(world, 'tail: only -c+N is simulated')
  let skip = Math.max(0, Number(from) - 1)
  for await (const chunk of world.input) {
    const bytes = chunk as Buffer
    if (skip < bytes.length) await write(world.output, bytes.subarray(skip))
    skip = Math.max(0, skip - bytes.length)
  }
  return 0
}

/** Archives from and to the standard streams, as `kubectl cp` uses it. */
const tar: Command = async (words, world) => {
  let mode = ''
  let folder = '/'
  const paths: string[] = []
  let expected: string | undefined
  for (const [i, word] of words.entries()) {
    const isFlags = /^-[A-Za-z]/.test(word) || (i === 0 && /^[A-Za-z]+$/.test(word))
    if (expected === 'C') folder = FileTree.resolve(word, folder)
    if (expected !== undefined) expected = undefined
    else if (word.startsWith('--')) continue
    else if (isFlags) {
      mode += word
      expected = /[fC]$/.exec(word)?.[0]
    } else if (word !== '-') paths.push(word)
  }
  try {
    if (mode.includes('x')) return await extract(folder, world)
    if (mode.includes('c')) return await pack(folder, paths, world)
  } catch (error) {
    if (error instanceof StepLimitExceeded || world.signal.aborted) throw error
    return printError(world, `tar: ${(error as Error).message}`, 2)
  }
  return printError(world, 'tar: only c and x are simulated, with - as file', 2)
}

async function extract(folder: string, { files, input, pace }: CommandWorld): Promise<number> {
  if (!files.isFolder(folder)) throw new FileError(`${folder}: Cannot open: No such file or directory`)
  for await (const { path, type, content } of readArchive(input, maxTreeBytes)) {
    await pace.step()
    // A path in the archive must not lead out of the target folder.
    const target = posix.join(folder, posix.resolve('/', path))
    if (type === 'folder') files.makeFolder(target)
    else if (type === 'file') {
      files.makeFolder(posix.dirname(target))
      // A copy, because `content` is a view that would retain the larger buffer.
      files.write(target, Buffer.from(content))
    }
  }
  return 0
}

async function pack(folder: string, paths: readonly string[], world: CommandWorld): Promise<number> {
  const { files, output } = world
  let code = 0
  for (const path of paths) {
    const start = FileTree.resolve(path, folder)
    if (!files.get(start)) {
      code = await printError(world, `tar: ${path}: Cannot stat: No such file or directory`, 2)
      continue
    }
    for (const one of [start, ...(files.isFolder(start) ? files.below(start) : [])]) {
      await world.pace.step()
      const entry = files.get(one)
      const name = posix.join(path, posix.relative(start, one)).replace(/^\/+/, '') || '.'
      for (const block of archiveEntry(name, entry?.isFolder ? undefined : files.read(one))) await write(output, block)
    }
  }
  await write(output, archiveEnd())
  return code
}

/** The programs of simulated containers, apart from the shell. */
export const commands: Readonly<Record<string, Command>> = {
  '[': test,
  cat,
  echo,
  env: environment,
  false: async () => 1,
  hostname: (_, world) => echo([world.environment['HOSTNAME'] ?? ''], world),
  ls: list,
  mkdir: makeFolders,
  printenv: environment,
  pwd: (_, world) => echo(['/'], world),
  rm: remove,
  sleep,
  tail,
  tar,
  test,
  true: async () => 0,
  whoami: (_, world) => echo(['root'], world),
}
