// Follows the Dockerfile on this machine without docker: every stage is a folder in which RUN runs. The last stage is started as its
// user, who can only write to its volumes, until its health check succeeds, and is then stopped.
//
//   node tools/follow-dockerfile.mjs           all steps, including npm ci and the build: takes minutes
//   node tools/follow-dockerfile.mjs --built   uses the build of this repository instead of running the stages that build
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readDockerfile } from './read-dockerfile.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const isBuilt = process.argv.includes('--built')
const healthLimitMs = 120_000
const top = mkdtempSync(join(tmpdir(), 'orch-container-'))
// The user of the server must be able to enter it.
chmodSync(top, 0o755)

/** @type {Map<string, { folder: string, workdir: string, env: Record<string, string>, is: Record<string, string> }>} */
const stages = new Map()
let stage
const say = text => console.log(text)

/** The path on this machine of a path in the image. */
const here = path => join(stage.folder, resolve('/', stage.workdir, path))
/** A command, with absolute paths of the image replaced by those of this machine. */
const translated = text =>
  text.replace(/(^|[\s"=])(\/(?:build|opt\/orch|data)\b)/g, (_, before, path) => `${before}${join(stage.folder, path)}`)

const steps = {
  FROM(text) {
    const [, image, name = 'last'] = /^(\S+)(?: AS (\S+))?$/i.exec(text) ?? []
    const major = /^node:(\d+)-/.exec(image)?.[1]
    // The steps need a supported Node, not necessarily the version of the image.
    if (major === undefined || Number.parseInt(process.versions.node, 10) < 20)
      throw new Error(`Node ${process.version} cannot run the steps of ${image}`)
    stage = { folder: join(top, name), workdir: '/', env: {}, is: {} }
    stages.set(name, stage)
    mkdirSync(stage.folder)
  },
  ENV(text) {
    for (const [, name, value] of text.matchAll(/(\w+)=(\S+)/g)) stage.env[name] = value
  },
  WORKDIR(text) {
    stage.workdir = text
    mkdirSync(join(stage.folder, text), { recursive: true })
  },
  COPY(text) {
    const words = text.split(/\s+/)
    const from = /^--from=(.+)$/.exec(words[0])?.[1]
    if (from) words.shift()
    const target = words.pop()
    for (const source of words) {
      // With --built, the results of an earlier stage are taken from this repository.
      const other = from && stages.get(from)
      const path = other
        ? isBuilt
          ? join(root, source.replace(/^\/build\//, ''))
          : join(other.folder, source)
        : join(root, source)
      const to = target.endsWith('/') ? join(here(target), basename(path)) : here(target)
      mkdirSync(dirname(to), { recursive: true })
      // Not a symbolic link: its target would be below folders that the user of the image may not enter.
      if (isBuilt && basename(path) === 'node_modules') linkFiles(path, to)
      else if (source === '.') copyContext(here(target))
      else cpSync(path, to, { recursive: true, preserveTimestamps: true })
    }
  },
  RUN(text) {
    if (isBuilt && text.startsWith('npm ')) return
    execFileSync('sh', ['-c', translated(text)], {
      cwd: here('.'),
      stdio: 'inherit',
      env: { ...process.env, ...stage.env },
    })
  },
  ...Object.fromEntries(
    ['USER', 'VOLUME', 'EXPOSE', 'STOPSIGNAL', 'HEALTHCHECK', 'ENTRYPOINT', 'CMD'].map(name => [
      name,
      text => void (stage.is[name] = text),
    ]),
  ),
}

/** Hard-links files into another folder, or copies them if the folders are on different disks. */
function linkFiles(from, to) {
  const linked = spawnSync('cp', ['-al', from, to], { stdio: 'ignore' }).status === 0
  if (linked) return
  rmSync(to, { recursive: true, force: true })
  cpSync(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
}

/** Copies the build context: the files that .dockerignore does not exclude. */
function copyContext(target) {
  const allowed = readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter(line => line.startsWith('!'))
    .map(line => line.slice(1))
  const skip = path => basename(path) === 'node_modules'
  for (const name of allowed.filter(each => existsSync(join(root, each))))
    cpSync(join(root, name), join(target, name), { recursive: true, filter: path => !skip(path) })
}

const wordsOf = text => JSON.parse(translated(text)).map(word => (word === 'node' ? process.execPath : word))

/** Everything below a folder that changed after a point in time. */
function changedSince(folder, moment, skipped) {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name)
    if (path === skipped || entry.isSymbolicLink()) return []
    return [
      ...(statSync(path).mtimeMs > moment ? [path] : []),
      ...(entry.isDirectory() ? changedSince(path, moment, skipped) : []),
    ]
  })
}

async function start() {
  const {
    USER: user = '0',
    HEALTHCHECK: health,
    ENTRYPOINT: entry,
    CMD: command,
    VOLUME: volume,
    STOPSIGNAL: signal,
  } = stage.is
  const [uid, gid = uid] = user.split(':').map(Number)
  if (!(uid > 0)) throw new Error(`USER ${user} is root, or is not a number`)
  // Only root can switch to another user; others run the server themselves.
  const isRoot = process.getuid() === 0
  const as = isRoot ? { uid, gid } : {}
  if (isRoot) execFileSync('chown', ['-R', `${uid}:${gid}`, here(volume)])
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', ...stage.env }
  const began = Date.now()
  // A free port, because that of the image may be in use on this machine.
  const words = [...wordsOf(entry), ...wordsOf(command), '--secure-port', '0']
  const server = spawn(words[0], words.slice(1), {
    ...as,
    env,
    cwd: here('.'),
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const exited = new Promise(resolve => server.once('exit', resolve))
  try {
    const [program, ...rest] = wordsOf(health.replace(/^.*?CMD /s, ''))
    let answer = ''
    while (answer !== 'ok') {
      if (server.exitCode !== null) throw new Error(`the server exited with ${server.exitCode}`)
      if (Date.now() - began > healthLimitMs) throw new Error('the health check did not succeed in time')
      // Yields, so that an exit of the server is noticed.
      await setTimeout(50)
      answer = String(spawnSync(program, rest, { ...as, env, encoding: 'utf8' }).stdout).trim()
    }
    say(`healthy after ${Date.now() - began} ms, as user ${isRoot ? uid : process.getuid()}`)
  } finally {
    server.kill(signal)
  }
  const code = await exited
  if (code !== 0) throw new Error(`the server exited with ${code} after ${signal}`)
  const written = changedSince(stage.folder, began, here(volume))
  if (written.length > 0) throw new Error(`the server wrote outside of ${volume}: ${written.join(', ')}`)
  say(`stopped cleanly after ${signal}; nothing was written outside of ${volume}`)
}

try {
  for (const { name, text } of readDockerfile(readFileSync(join(root, 'Dockerfile'), 'utf8'))) {
    const step = steps[name]
    if (!step) throw new Error(`the instruction ${name} is not supported`)
    say(`${name} ${text}`)
    step(text)
  }
  // Only root may change the program.
  execFileSync('chmod', ['-R', 'a-w,a+rX', here('dist')])
  await start()
} finally {
  rmSync(top, { recursive: true, force: true })
}
