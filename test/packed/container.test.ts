import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { programFor } from '../support/orch-program.js'

const root = join(import.meta.dirname, '../../..')
const textOf = (name: string) => readFileSync(join(root, name), 'utf8')
interface Step {
  readonly name: string
  readonly text: string
}
const { readDockerfile } = (await import(join(root, 'tools/read-dockerfile.mjs'))) as {
  readDockerfile(content: string): Step[]
}
const steps = readDockerfile(textOf('Dockerfile'))
const last = steps.slice(steps.findLastIndex(({ name }) => name === 'FROM'))
const lastOf = (name: string) => last.findLast(step => step.name === name)?.text ?? ''

const image = suite('the Dockerfile')

image('is of slim images of a version, of files that are there, and fetches nothing by itself', () => {
  for (const { text } of steps.filter(({ name }) => name === 'FROM'))
    assert.match(text, /^node:\d+-\w+-slim( AS \w+)?$/)
  assert.equal(
    steps.filter(({ name, text }) => ['ADD', 'ARG'].includes(name) || /curl|wget|apt-get|sudo|chmod 777/.test(text)),
    [],
  )
  assert.equal(
    steps.filter(({ name, text }) => name === 'ENV' && /password|secret|token/i.test(text)),
    [],
  )
  const letThrough = textOf('.dockerignore').split('\n')
  assert.is(letThrough.filter(line => line !== '' && !line.startsWith('#'))[0], '*', 'what is not named stays out')
  const copied = steps.filter(({ name, text }) => name === 'COPY' && !text.startsWith('--from') && text !== '. .')
  for (const source of copied.flatMap(({ text }) => text.split(' ').slice(0, -1))) {
    assert.ok(existsSync(join(root, source)), source)
    assert.ok(letThrough.includes(`!${source}`), `${source} is let through`)
  }
})

image('runs as somebody who is not root, is asked for its health, and gets signals itself', () => {
  assert.match(lastOf('USER'), /^[1-9]\d{3,}:[1-9]\d{3,}$/)
  for (const name of ['ENTRYPOINT', 'CMD']) assert.ok(Array.isArray(JSON.parse(lastOf(name))), name)
  assert.match(lastOf('HEALTHCHECK'), /--interval=\S+ --timeout=\S+ .*CMD \["node", /)
  const help = execFileSync(process.execPath, [programFor([]), 'serve', '--help'], { cwd: root, encoding: 'utf8' })
  for (const [flag] of lastOf('CMD').matchAll(/--[a-z-]+/g)) assert.ok(help.includes(flag), `${flag} is a flag`)
})

image('can be followed: its server is healthy, stops in order, and writes nothing but its data', () => {
  const words = [join(root, 'tools/follow-dockerfile.mjs'), '--built']
  const said = execFileSync(process.execPath, words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  assert.match(said, /healthy after \d+ ms/)
  assert.match(said, /nothing was written outside of \/data/)
})
image.run()

const compose = suite('the compose file')
/** Of the compose specification, what is used here. A key that is mistyped would be an error, or worse, nothing. */
const known = [
  ...['build', 'image', 'ports', 'volumes', 'user', 'read_only', 'tmpfs', 'cap_drop', 'security_opt', 'pids_limit'],
  ...['ulimits', 'restart', 'stop_grace_period'],
]

compose('gives the server what it needs and nothing else, as the Dockerfile says', () => {
  const file = parse(textOf('compose.yaml')) as {
    services: Record<string, Record<string, unknown>>
    volumes: Record<string, unknown>
  }
  assert.equal(Object.keys(file), ['name', 'services', 'volumes'])
  const [service, ...others] = Object.values(file.services)
  assert.is(others.length, 0)
  assert.equal(
    Object.keys(service ?? {}).filter(key => !known.includes(key)),
    [],
  )
  assert.is(service?.['user'], lastOf('USER'))
  assert.is(service?.['read_only'], true)
  assert.equal(service?.['cap_drop'], ['ALL'])
  assert.equal(service?.['security_opt'], ['no-new-privileges:true'])
  assert.equal(service?.['ports'], [`127.0.0.1:${lastOf('EXPOSE')}:${lastOf('EXPOSE')}`])
  assert.equal(service?.['volumes'], [`${Object.keys(file.volumes)[0]}:${lastOf('VOLUME')}`])
})
compose.run()
