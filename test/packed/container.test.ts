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

image('uses slim images of a fixed version and existing files, and downloads nothing', () => {
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
  assert.is(letThrough.filter(line => line !== '' && !line.startsWith('#'))[0], '*', 'everything else is excluded')
  const { include } = JSON.parse(textOf('tsconfig.json')) as { include: string[] }
  for (const source of include) assert.ok(letThrough.includes(`!${source}`), `the compiler needs ${source}`)
  const copied = steps.filter(({ name, text }) => name === 'COPY' && !text.startsWith('--from') && text !== '. .')
  for (const source of copied.flatMap(({ text }) => text.split(' ').slice(0, -1))) {
    assert.ok(existsSync(join(root, source)), source)
    assert.ok(letThrough.includes(`!${source}`), `${source} is let through`)
  }
})

image('runs as a user other than root, has a health check, and receives signals directly', () => {
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
/** The keys of the compose specification that are used here. A mistyped key would be an error, or silently ignored. */
const known = [
  ...['build', 'image', 'ports', 'volumes', 'user', 'read_only', 'tmpfs', 'cap_drop', 'security_opt', 'pids_limit'],
  ...['ulimits', 'restart', 'stop_grace_period'],
]

compose('grants the server only what it needs, consistent with the Dockerfile', () => {
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
