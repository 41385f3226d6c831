import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import diff from 'semver/functions/diff.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compareSdks, type Level } from '../contract/compare-sdks.js'
import { compatibleChanges } from '../contract/compatible-changes.js'
import { currentSdk, lastRelease, type SdkRecord } from '../contract/sdk-record.js'
import { root } from './sources.js'

const versions = suite('versions of the doors of the sdk')
const levels: readonly Level[] = ['patch', 'minor', 'major']

/** Changes that the version of the entry point does not reflect. */
function unannounced(was: SdkRecord, now: SdkRecord, compatible: readonly string[] = []): string[] {
  return compareSdks(was, now).flatMap(({ door, name, level: found, what }) => {
    const level = found === 'major' && compatible.includes(`${door} ${name}`) ? 'minor' : found
    const from = was.versions[door] ?? '0.0.0'
    const to = now.versions[door] ?? 'no version'
    const raised = now.versions[door] === undefined ? 'major' : (diff(from, to) ?? 'patch')
    if (levels.indexOf(raised as Level) >= levels.indexOf(level)) {
      // Even a major version removes only names that were deprecated before.
      return what.includes('not deprecated') ? [`${name} of ${door} ${what}: deprecate it in a release first`] : []
    }
    return [`${name} of ${door} ${what}: that needs a ${level} version after ${from} (sdk/plugin/doors.ts has ${to})`]
  })
}

versions('reflect the changes since the last release', () => {
  assert.equal(unannounced(lastRelease(), currentSdk(), Object.keys(compatibleChanges)), [])
})

versions('have no unnecessary exception', () => {
  const changes = compareSdks(lastRelease(), currentSdk())
  const majors = changes.filter(({ level }) => level === 'major').map(({ door, name }) => `${door} ${name}`)
  assert.equal(
    Object.keys(compatibleChanges).filter(each => !majors.includes(each)),
    [],
    'remove it from compatible-changes.ts',
  )
})

const door = 'orch/sdk'
const record = (text: string, version = '1.0.0', more: Record<string, string> = {}): SdkRecord => ({
  versions: { [door]: version },
  files: { 'sdk/index.d.ts': text, ...more },
})
const base = record('export interface Lamp {\n    on: boolean;\n}\nexport declare const light: Lamp;\n')
const cases: Readonly<Record<string, { now: SdkRecord; minor: boolean; patch?: boolean }>> = {
  'a comment needs nothing': {
    now: record('/** A lamp. */\nexport interface Lamp {\n    on: boolean;\n}\nexport declare const light: Lamp;\n'),
    minor: true,
    patch: true,
  },
  'a new name needs a minor version': {
    now: record(`${base.files['sdk/index.d.ts']}export declare const dark: Lamp;\n`),
    minor: true,
  },
  'a new optional member needs a minor version': {
    now: record(
      'export interface Lamp {\n    on: boolean;\n    watts?: number;\n}\nexport declare const light: Lamp;\n',
    ),
    minor: true,
  },
  'a new required member needs a major version': {
    now: record(
      'export interface Lamp {\n    on: boolean;\n    watts: number;\n}\nexport declare const light: Lamp;\n',
    ),
    minor: false,
  },
  'a member of another type needs a major version': {
    now: record('export interface Lamp {\n    on: number;\n}\nexport declare const light: Lamp;\n'),
    minor: false,
  },
  'a removed name needs a major version': {
    now: record('export interface Lamp {\n    on: boolean;\n}\n'),
    minor: false,
  },
}
for (const [title, { now, minor, patch = false }] of Object.entries(cases))
  versions(title, () => {
    const at = (version: string) => unannounced(base, { ...now, versions: { [door]: version } }).length === 0
    assert.equal([at('1.0.1'), at('1.1.0')], [patch, minor])
  })

versions('cover types that an exported name mentions but no entry point exports', () => {
  const main = "import type { Bulb } from './bulb.js';\nexport interface Lamp {\n    bulb: Bulb;\n}\n"
  const bulb = (type: string) => ({ 'sdk/bulb.d.ts': `export interface Bulb {\n    watts: ${type};\n}\n` })
  const found = unannounced(record(main, '1.0.0', bulb('number')), record(main, '1.1.0', bulb('string')))
  assert.equal(found.length, 1)
  assert.match(found[0] ?? '', /^Lamp of orch\/sdk has changed: that needs a major version/)
})

versions('a name is removed only after a release that deprecates it', () => {
  const deprecated = record('/** @deprecated Use candle. */\nexport declare const light: string;\n')
  const without = { ...record(''), versions: { [door]: '2.0.0' } }
  assert.equal(unannounced(deprecated, without), [])
  assert.match(unannounced(base, without)[0] ?? '', /deprecate it in a release first/)
})

versions('are in the table of the guide', () => {
  const readme = readFileSync(join(root, 'sdk/README.md'), 'utf8')
  const listed = [...readme.matchAll(/^\| `(orch\/sdk[\w/]*)` +\| ([\d.]+) /gm)].map(([, name, version]) => [
    name,
    version,
  ])
  assert.equal(Object.fromEntries(listed), currentSdk().versions)
})

versions.run()
