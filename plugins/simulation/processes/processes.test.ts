import { PassThrough, Readable } from 'node:stream'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { FileTree, FileTrees, maxTreeBytes } from './file-tree.js'
import { Pace } from './pace.js'
import { ruleFor } from './scripted-process.js'
import { runProcess } from './shell.js'
import { archiveEnd, archiveEntry } from './tar.js'
import { terminal } from './terminal.js'

interface Ran {
  readonly code: number
  readonly out: string
  readonly error: string
}
async function run(
  command: readonly string[],
  input: string | Buffer = '',
  files = new FileTree({}),
  environment = {},
  signal = new AbortController().signal,
): Promise<Ran> {
  const [output, error] = [new PassThrough(), new PassThrough()]
  const texts = [output, error].map(async stream => {
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks).toString()
  })
  const code = await runProcess(command, {
    input: Readable.from([Buffer.from(input)]),
    output,
    error,
    files,
    environment: { HOSTNAME: 'web', COLOR: 'green', ...environment },
    pace: new Pace(signal),
    signal,
  })
  output.end()
  error.end()
  const [out = '', said = ''] = await Promise.all(texts)
  return { code, out, error: said }
}
const sh = (script: string, files?: FileTree) => run(['sh', '-c', script], '', files)

const shell = suite('the shell of simulated containers')
const scripts: Record<string, [script: string, code: number, out: string]> = {
  'commands one after the other': ['echo a; echo b\necho c # no more', 0, 'a\nb\nc\n'],
  '&& runs only after success': ['false && echo no; true && echo yes', 0, 'yes\n'],
  '|| runs only after failure': ['true || echo no; false || echo yes', 0, 'yes\n'],
  quotes: [`echo 'a  $COLOR' "b  $COLOR" c\\ d`, 0, 'a  $COLOR b  green c d\n'],
  'exit codes': ['false; echo $?; exit 7; echo never', 7, '1\n'],
  pipes: ['echo one | cat | tail -c+2', 0, 'ne\n'],
  files: [
    'mkdir -p /a/b; echo x > /a/b/f; echo y >> /a/b/f; cat /a/b/f; ls /a/b; test -d /a && echo d',
    0,
    'x\ny\nf\nd\n',
  ],
  'a removed file': ['echo x > /f; rm /f; test -e /f', 1, ''],
  'an unterminated quote': ['echo "a', 2, ''],
}
for (const [title, [script, code, out]] of Object.entries(scripts))
  shell(`knows ${title}`, async () => {
    const ran = await sh(script)
    assert.equal([ran.code, ran.out], [code, out])
  })
shell('yields however much work a script causes', async () => {
  // Scripts in scripts: sixty commands that each start sixty, and so on.
  const nested = { A: 'sh -c "$B";'.repeat(60), B: 'sh -c "$C";'.repeat(60), C: 'ls /;'.repeat(60) }
  const files = new FileTree(Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`/folder/${i}`, ''])))
  const before = process.cpuUsage()
  const running = new AbortController()
  const ending = setTimeout(() => running.abort(), 1_000)
  await run(['sh', '-c', 'sh -c "$A"'], '', files, nested, running.signal).catch(error => {
    assert.is(error.name, 'AbortError')
  })
  clearTimeout(ending)
  const { user, system } = process.cpuUsage(before)
  assert.ok((user + system) / 1000 < 900, `${(user + system) / 1000} ms of CPU in a second`)
})
shell('bounds the expansion of a script', async () => {
  const long = { LONG: 'x'.repeat(1_000_000) }
  assert.equal(await run(['sh', '-c', 'echo "$LONG$LONG"'], '', undefined, long), {
    code: 2,
    out: '',
    error: 'sh: syntax error: too long\n',
  })
  assert.match((await sh('true|'.repeat(100))).error, 'more than 64 commands in a pipeline')
  assert.is((await sh(`mkdir -p ${'a/'.repeat(3_000)}; test -e ${'a/'.repeat(3_000)}`)).code, 1)
  const few = new Pace(new AbortController().signal, 10)
  for (let i = 0; i < 10; i++) await few.step()
  await few.step().then(
    () => assert.unreachable(),
    error => assert.match(error.message, 'more than 10 steps'),
  )
})
shell('says of other programs that the container is simulated', async () => {
  const { code, error } = await run(['/usr/bin/nginx'])
  assert.is(code, 127)
  assert.match(error, /^\/usr\/bin\/nginx: not found: this container is simulated and has only \[ ash bash cat/)
  assert.is((await run(['constructor'])).code, 127)
})
shell.run()

const files = suite('files of simulated containers')
files('are bounded in bytes and in number', async () => {
  const tree = new FileTree({})
  assert.throws(() => tree.write('/big', Buffer.alloc(maxTreeBytes + 1)), /No space left/)
  assert.throws(() => {
    for (let i = 0; i < 3_000; i++) tree.write(`/f${i}`, Buffer.alloc(0))
  }, /No space left/)
})
files('output that does not fit into a file is not truncated silently', async () => {
  const tree = new FileTree({})
  tree.write('/half', Buffer.alloc(maxTreeBytes / 2 + 1))
  const { code, error } = await sh('cat /half /half > /copy', tree)
  assert.equal([code, error, tree.get('/copy')], [1, 'sh: /copy: No space left on device\n', undefined])
})
files('of all containers share a budget; unused ones are evicted first', () => {
  const trees = new FileTrees(100)
  const ended = AbortSignal.abort()
  const use = (id: string, signal = ended) => trees.use(id, () => ({ '/f': 'initial' }), signal)
  for (let i = 0; i < 3; i++) use(`c${i}`).write('/f', Buffer.alloc(40))
  assert.is(use('c2').bytes, 40, 'the last one stays')
  assert.is(use('c0').bytes, 7, 'the least recently used one is evicted')

  const process = new AbortController()
  const [first, second] = [use('first', process.signal), use('second', process.signal)]
  first.write('/f', Buffer.alloc(60))
  assert.throws(() => second.write('/f', Buffer.alloc(60)), /No space left/)
  first.remove('/f')
  second.write('/f', Buffer.alloc(60))
  assert.is(use('second'), second, 'a tree in use is not evicted')
  process.abort()
  use('third').write('/f', Buffer.alloc(90))
  assert.is.not(use('second'), second)
})
files(
  'are extracted from an archive and packed into one, with long names, and never outside of their folder',
  async () => {
    const long = `${'folder/'.repeat(20)}file`
    const parts = [
      ...archiveEntry('sub', undefined),
      ...archiveEntry('sub/a', Buffer.from('first')),
      ...archiveEntry(long, Buffer.from('second')),
      ...archiveEntry('../../etc/passwd', Buffer.from('root')),
      archiveEnd(),
    ]
    const tree = new FileTree({ '/work/kept': 'k' })
    assert.is((await run(['tar', '-xmf', '-', '-C', '/work'], Buffer.concat(parts), tree)).code, 0)
    assert.is(tree.read(`/work/${long}`).toString(), 'second')
    assert.is(tree.read('/work/etc/passwd').toString(), 'root')
    assert.is(tree.get('/etc/passwd'), undefined)
    const packed = await run(['tar', 'cf', '-', '-C', '/work', 'sub'], '', tree)
    const again = new FileTree({})
    assert.is((await run(['tar', 'xf', '-'], packed.out, again)).code, 0)
    assert.is(again.read('/sub/a').toString(), 'first')
  },
)
const broken: Record<string, Buffer> = {
  'no archive': Buffer.alloc(1024, 'x'),
  'half an archive': Buffer.concat(archiveEntry('a', Buffer.alloc(2000))).subarray(0, 1000),
  'half a header': Buffer.alloc(100, 'a'),
}
for (const [title, bytes] of Object.entries(broken))
  files(`${title} is an error of tar`, async () => assert.is((await run(['tar', 'xf', '-'], bytes)).code, 2))
files.run()

const rules = suite('rules of commands')
const matches: [command: string[], pattern: string[] | undefined, isAbout: boolean][] = [
  [['ls'], undefined, true],
  [['ls'], ['ls'], true],
  [['ls', '-l'], ['ls'], false],
  [['ls', '-l'], ['ls', '*'], true],
  [['ls'], ['ls', '*'], true],
  [['pg_dump', 'shop', 'x'], ['pg_*', 'shop', '*'], true],
  [['pg_dump', 'blog'], ['pg_*', 'shop', '*'], false],
]
for (const [command, pattern, isAbout] of matches)
  rules(`${pattern?.join(' ') ?? 'none'} is ${isAbout ? '' : 'not '}about ${command.join(' ')}`, () => {
    assert.is(ruleFor(command, [pattern ? { command: pattern } : {}]) !== undefined, isAbout)
  })
rules.run()

const terminals = suite('terminals of simulated containers')
terminals('echo typed characters, and forward whole lines', async () => {
  const shown = new PassThrough()
  const { input, output } = terminal(Readable.from(['ab\x7fc\r', 'x\x03', 'y\n\x04', 'never']), shown)
  const lines: string[] = []
  for await (const line of input) lines.push(String(line))
  assert.equal(lines, ['ac\n', 'y\n'])
  await new Promise<void>(resolve => output.write('one\ntwo\n', () => resolve()))
  shown.end()
  assert.is(String(shown.read()), 'ab\b \bc\r\nx^C\r\n/ # y\r\n\r\none\r\ntwo\r\n')
})
terminals.run()
