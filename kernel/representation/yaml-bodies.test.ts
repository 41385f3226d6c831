import { monitorEventLoopDelay } from 'node:perf_hooks'
import { ApiError } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { writeJson } from '../../libs/json/index.js'
import { YamlBodies } from './yaml-bodies.js'

const mebibyte = 1024 * 1024
const limits = { maxNodes: 250_000, maxCharacters: 3 * mebibyte, timeoutMs: 20_000 }

const large = suite('large YAML')

async function outcome(bodies: YamlBodies, text: string): Promise<unknown> {
  try {
    return (await bodies.parse(text, 0)).value
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.code
  }
}

/** The longest time that the event loop was blocked while something ran. */
async function longestHold(run: () => Promise<void>): Promise<number> {
  const delays = monitorEventLoopDelay({ resolution: 5 })
  delays.enable()
  await new Promise(resolve => setTimeout(resolve, 20))
  await run()
  delays.disable()
  return delays.max / 1e6
}

const fill = (piece: string) => piece.repeat(Math.floor((3 * mebibyte) / piece.length))
const anchors = Array.from({ length: 20_000 }, (_, index) => `- &a${index} [${index}]`).join('\n')
const hostile: Record<string, string> = {
  'closing braces': fill('}'),
  'closing brackets': fill(']'),
  'commas in a list': `[${fill(',')}`,
  'a plain list': fill('- a\n'),
  'a list in one line': `[${fill('a,')}]`,
  'a set of keys': `{${fill('a,')}}`,
  'empty lists': `[${fill('[],')}]`,
  'open brackets': fill('['),
  'open mappings': fill('{a: '),
  quotes: fill('"'),
  'question marks': fill('? '),
  colons: fill(': '),
  tags: fill('!a '),
  documents: fill('---\n'),
  comments: fill('#\n'),
  'line ends in quotes': `"${fill('\n')}"`,
  escapes: `"${fill('\\n')}"`,
  'lines of plain text': fill('a\n'),
  'many keys': Array.from({ length: 300_000 }, (_, index) => `k${index}: v`).join('\n'),
  merges: `a: &a {b: c}\n${fill('- <<: *a\n')}`,
  'broken JSON': `{"a":[${fill('1,')}`,
}

large('no body of 3 MB blocks the event loop, whatever its contents', async () => {
  const bodies = new YamlBodies(limits)
  const held: Record<string, number> = {}
  try {
    await bodies.parse(`a: ${'x'.repeat(40_000)}`, 0)
    for (const [what, text] of Object.entries(hostile))
      held[what] = await longestHold(async () => {
        const code = await outcome(bodies, text)
        assert.ok(typeof code !== 'number' || code === 400 || code === 413, `${what}: ${code}`)
      })
    held['anchors'] = await longestHold(async () => {
      assert.is(((await outcome(bodies, anchors)) as unknown[]).length, 20_000)
    })
  } finally {
    await bodies.close()
  }
  for (const [what, ms] of Object.entries(held)) assert.ok(ms < 1000, `${what} held the event loop for ${ms} ms`)
})

large('is parsed like small YAML, including repeated keys', async () => {
  const bodies = new YamlBodies(limits)
  const text = `a: 1\na: 0644\nlong: ${'x'.repeat(50_000)}\n`
  try {
    const { value, repeatedKeys } = await bodies.parse(text, 5)
    assert.equal(value, { a: 420, long: 'x'.repeat(50_000) })
    assert.equal(repeatedKeys, [{ key: 'a', line: 2 }])
    const json = JSON.stringify([value])
    assert.is(await bodies.print(json), `- a: 420\n  long: ${'x'.repeat(50_000)}\n`)
    assert.is(await outcome(bodies, `${text}---\nb: 1`), 400)
  } finally {
    await bodies.close()
  }
})

large('tasks that take too long are aborted, and the tasks after them are still done', async () => {
  const bodies = new YamlBodies({ ...limits, timeoutMs: 1 })
  // Both take long: what is done before the time is looked at is not aborted.
  const slow = outcome(bodies, hostile['many keys'] ?? '')
  const behind = outcome(bodies, hostile['many keys'] ?? '')
  assert.equal(await Promise.all([slow, behind]), [413, 413])
  await bodies.close()
})

large('only CPU time counts: a busy machine rejects nothing', async () => {
  const bodies = new YamlBodies({ ...limits, timeoutMs: 1, workedMs: () => 0 })
  const items = await outcome(bodies, '- a\n'.repeat(75_000))
  assert.is((items as unknown[]).length, 75_000)
  await bodies.close()
})

large('more bodies than can be parsed in time are rejected', async () => {
  const bodies = new YamlBodies(limits)
  const text = `- ${'x'.repeat(40_000)}\n`
  const codes = await Promise.all(Array.from({ length: 100 }, () => outcome(bodies, text)))
  assert.is(codes.filter(code => code === 429).length, 35)
  await bodies.close()
})

large('a server that stops does not wait for them', async () => {
  const bodies = new YamlBodies(limits)
  const reading = outcome(bodies, fill('- a: b\n'))
  await bodies.close()
  assert.is(await reading, 413)
})

large('YAML that nests as deep as JSON may is parsed and written in the thread, however short it is', async () => {
  const bodies = new YamlBodies(limits)
  try {
    for (const text of [`${'{a: '.repeat(5000)}1${'}'.repeat(5000)}`, `${'{a: '.repeat(9000)}1${'}'.repeat(9000)}`]) {
      const { value } = await bodies.parse(text, 0)
      const json = writeJson(value)
      assert.is(json, text.replaceAll('a: ', '"a":'))
      const written = await bodies.print(json)
      assert.is(writeJson((await bodies.parse(written, 0)).value), json)
      assert.ok(written.length < 10 * text.length, 'indentation is not most of it')
    }
  } finally {
    await bodies.close()
  }
})

large.run()
