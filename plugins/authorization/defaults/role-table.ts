import type { Lifespan, Vendor, VersionName } from 'orch/sdk'
import { componentNames, type DefaultRole, defaultGroups, on, onPaths, read, write } from './default-role.js'

const shortVerbs: Readonly<Record<string, string>> = {
  read,
  write,
  readwrite: 'create delete deletecollection get list patch update watch',
}

/**
 * Reads roles from a table. A line without indent is the name of a role, followed by one line for each rule,
 * `verbs | groups | resources | names`, or `verbs | paths | paths outside the resource API`. Groups are those of
 * `defaultGroups` or `*`; `{word}` stands for a name that the vendor chooses. A line that ends with `@1.27` applies
 * since that version, one with `@..1.27` until that version, one with `@1.25..1.29` in that range.
 */
export function readRoleTable(table: string, vendor: Vendor): DefaultRole[] {
  const groups: Readonly<Record<string, unknown>> = {
    ...defaultGroups(vendor),
    '*': '*',
  }
  const names = vendorNames(vendor)
  const roles: DefaultRole[] = []
  let isServed = true
  for (const line of table.split('\n').filter(text => text.trim() !== '')) {
    const { lifespan, rest } = lifespanOf(line)
    const isRole = !line.startsWith(' ')
    // The rules of a role that is left out are left out too.
    if (isRole) isServed = vendor.level.includes(lifespan)
    if (!isServed || !vendor.level.includes(lifespan)) continue
    const text = rest.replace(/\{([\w:]+)\}/g, (_, word: string) => known(names, word))
    if (isRole) {
      roles.push({ name: text, rules: [] })
      continue
    }
    const [verbs = '', group = '', what = '', only] = text.split('|').map(part => part.trim())
    const granted = shortVerbs[verbs] ?? verbs
    const rule =
      group === 'paths'
        ? onPaths(what, granted)
        : on(
            group.split(' ').map(word => known(groups, word)),
            what,
            granted,
            only?.split(' '),
          )
    roles.at(-1)?.rules.push(rule)
  }
  return roles
}

function lifespanOf(line: string): { lifespan: Lifespan; rest: string } {
  const [mark = '', since, , until] = / @(\d+\.\d+)?(\.\.(\d+\.\d+))?$/.exec(line) ?? []
  return {
    lifespan: {
      ...(since === undefined ? {} : { since: since as VersionName }),
      ...(until === undefined ? {} : { until: until as VersionName }),
    },
    rest: line.slice(0, line.length - mark.length).trimEnd(),
  }
}

function known(names: Readonly<Record<string, unknown>>, word: string): string {
  const name = names[word]
  if (typeof name !== 'string') throw new Error(`the table of default roles contains the unknown word "${word}"`)
  return name
}

/** The names that `{word}` may stand for: components, their users, signers (short and qualified), the node agent. */
function vendorNames(vendor: Vendor): Readonly<Record<string, string>> {
  const { certificates } = defaultGroups(vendor)
  const { nodeAgent, signers, users } = vendor.profile
  const prefixed = (prefix: string, words: readonly (readonly [string, string])[]) =>
    Object.fromEntries(words.map(([word, name]) => [`${prefix}:${word}`, name]))
  const ofSigners = Object.keys(signers) as (keyof typeof signers)[]
  return {
    ...componentNames(vendor),
    certificates,
    nodeAgent,
    ...prefixed('user', Object.entries(users)),
    ...prefixed('signer', Object.entries(signers)),
    ...prefixed(
      'vendorSigner',
      ofSigners.map(signer => [signer, vendor.signer(signer)]),
    ),
  }
}
