import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { FlagDefinition } from '../../orchctl/arguments/flags.js'
import { globalFlags } from '../../orchctl/arguments/global-flags.js'
import { commands } from '../../orchctl/commands/index.js'
import { commandsLeftOut, flagsLeftOut } from './reasons.js'

interface Flag {
  readonly name: string
  readonly short?: string
}
/** Flags are written `--name` or `-n/--name`. */
const readFlags = (text: string): Flag[] =>
  text
    .split(' ')
    .filter(word => word !== '')
    .map(word => {
      const [, short, name = ''] = /^(?:-(\w)\/)?--(.+)$/.exec(word) ?? []
      return { name, ...(short === undefined ? {} : { short }) }
    })

const path = new URL('../../../test/kubectl/kubectl-1.36.txt', import.meta.url)
const lines = readFileSync(path, 'utf8')
  .split('\n')
  .filter(line => line !== '' && !line.startsWith('#'))
const [first = '', ...rest] = lines
const everywhere = readFlags(first.slice(2))
const table = rest.map(line => {
  const colon = line.indexOf(':')
  return { name: line.slice(0, colon), flags: readFlags(line.slice(colon + 1)) }
})

const find = (name: string) => commands.find(one => [one.name, ...(one.aliases ?? [])].includes(name))
const has = (definitions: readonly FlagDefinition[], { name, short }: Flag) =>
  definitions.some(
    one => [one.name, ...(one.aliases ?? [])].includes(name) && (short === undefined || one.short === short),
  )

const kubectl = suite('the table of kubectl')

kubectl('has its commands', () => {
  assert.ok(table.length > 90)
  const missing = table.map(({ name }) => name).filter(name => !find(name) && !(name in commandsLeftOut))
  assert.equal(missing, [], 'neither implemented nor listed with a reason')
})

kubectl('has its flags, with their letters', () => {
  const missing = [
    ...everywhere
      .filter(flag => !has(globalFlags, flag) && !(`--${flag.name}` in flagsLeftOut))
      .map(({ name }) => `--${name}`),
    ...table.flatMap(({ name, flags }) => {
      const command = find(name)
      if (!command) return []
      const all = [...command.flags, ...globalFlags]
      return flags
        .filter(flag => !has(all, flag) && !(`${name} --${flag.name}` in flagsLeftOut))
        .map(flag => `${name} --${flag.name}`)
    }),
  ]
  assert.equal(missing, [], 'neither implemented nor listed with a reason')
})

kubectl('has no unnecessary reasons', () => {
  const stale = [
    ...Object.keys(commandsLeftOut).filter(name => find(name) || !table.some(one => one.name === name)),
    ...Object.keys(flagsLeftOut).filter(key => {
      const [, name, flag = ''] = /^(?:(.*) )?--(.+)$/.exec(key) ?? []
      const known = name === undefined ? everywhere : (table.find(one => one.name === name)?.flags ?? [])
      const own = name === undefined ? globalFlags : (find(name)?.flags ?? [])
      return !known.some(one => one.name === flag) || has(own, { name: flag })
    }),
  ]
  assert.equal(stale, [])
})

kubectl.run()
