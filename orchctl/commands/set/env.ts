import type { ApiObject } from 'orch/sdk'
import { allFlag } from '../../arguments/shared-flags.js'
import type { Call, Command } from '../../command.js'
import { changeAnywhere, localFlag } from '../../objects/change-local.js'
import { changeObjectFlags } from '../../objects/change-objects.js'
import { forEach } from '../../objects/for-each.js'
import { type Container, podSpecOf } from '../../objects/pod-template.js'
import { selectObjects } from '../../objects/select-objects.js'
import { readTargets } from '../../objects/targets.js'
import { UsageError } from '../../usage-error.js'
import { changeContainers, nameMatcher } from './change-containers.js'

type Variable = NonNullable<Container['env']>[number]

export const setEnv: Command = {
  name: 'set env',
  summary: 'Set, remove and list environment variables of containers.',
  usage: '(TYPE NAME... | TYPE/NAME... | TYPE --all | -f FILE) KEY=VALUE... KEY-... [flags]',
  examples: [
    ['Set one, remove another', 'set env deployment/web MODE=fast DEBUG-'],
    ['List them', 'set env deployments --all --list'],
    ['All keys of a ConfigMap', 'set env deployment/web --from=configmap/settings --prefix=APP_'],
    ['From standard input, a KEY=VALUE in each line', 'set env deployment/web -e -'],
  ],
  flags: [
    { name: 'env', short: 'e', kind: 'list', value: 'KEY=VALUE', description: 'a variable, or - for standard input' },
    {
      name: 'containers',
      short: 'c',
      kind: 'text',
      value: 'PATTERN',
      description: 'names of containers, with * for any letters; all by default',
    },
    {
      name: 'from',
      kind: 'text',
      value: 'TYPE/NAME',
      description: 'a ConfigMap or Secret whose keys become variables',
    },
    { name: 'keys', kind: 'list', value: 'KEY,...', description: 'with --from: only these keys' },
    { name: 'prefix', kind: 'text', value: 'TEXT', description: 'with --from: a prefix for the names' },
    { name: 'list', kind: 'switch', description: 'show the variables instead of changing them' },
    { name: 'resolve', kind: 'switch', description: 'with --list: show the values of Secrets and ConfigMaps' },
    { name: 'overwrite', kind: 'switch', description: 'change existing variables (the default)' },
    allFlag,
    localFlag,
    ...changeObjectFlags,
  ],
  async run(call) {
    const { flags } = call
    const isChange = (word: string) => word.includes('=') || word === '-' || /^[A-Za-z_.][\w.-]*-$/.test(word)
    const last = call.args.findLastIndex(word => !isChange(word))
    const targets = call.args.slice(0, last + 1)
    if (flags.is('list')) return listVariables(call, targets)
    const changes = await changesOf(call, [...call.args.slice(last + 1), ...flags.list('env')])
    if (changes.set.length === 0 && changes.removed.size === 0)
      throw new UsageError('say what to set: KEY=VALUE, KEY- to remove a variable, or --from=configmap/NAME')
    const isChosen = nameMatcher(flags.text('containers') ?? '*')
    return changeAnywhere(
      call,
      {
        verb: 'set',
        done: 'env updated',
        make: object =>
          changeContainers(object, container =>
            isChosen(container.name) ? withVariables(container, changes, flags.is('overwrite', true)) : container,
          ),
      },
      targets,
    )
  },
}

interface Changes {
  readonly set: readonly Variable[]
  readonly removed: ReadonlySet<string>
}

function withVariables(container: Container, { set, removed }: Changes, overwrites: boolean): Container {
  const before = container.env ?? []
  if (!overwrites) {
    const taken = set.find(({ name }) => before.some(one => one.name === name))
    if (taken)
      throw new UsageError(`container ${container.name} has the variable ${taken.name}, and --overwrite is false`)
  }
  const replaced = before.map(one => set.find(({ name }) => name === one.name) ?? one)
  const added = set.filter(({ name }) => !before.some(one => one.name === name))
  return { ...container, env: [...replaced, ...added].filter(({ name }) => !removed.has(name)) }
}

async function changesOf(call: Call, words: readonly string[]): Promise<Changes> {
  const set: Variable[] = []
  const removed = new Set<string>()
  for (const word of words) {
    const at = word.indexOf('=')
    if (word === '-') set.push(...variablesIn(await call.terminal.readInput()))
    else if (at > 0) set.push({ name: word.slice(0, at), value: word.slice(at + 1) })
    else removed.add(word.slice(0, -1))
  }
  const from = call.flags.text('from')
  if (from !== undefined) set.push(...(await variablesFrom(call, from)))
  return { set, removed }
}

const variablesIn = (text: string): Variable[] =>
  text.split(/\r?\n/).flatMap(line => {
    const at = line.indexOf('=')
    return at > 0 && !line.startsWith('#') ? [{ name: line.slice(0, at), value: line.slice(at + 1) }] : []
  })

async function variablesFrom(call: Call, from: string): Promise<Variable[]> {
  const session = await call.session()
  const [target] = readTargets([from], await session.kinds())
  const field = { configmaps: 'configMapKeyRef', secrets: 'secretKeyRef' }[target?.kind.resource ?? '']
  if (!target?.name || field === undefined)
    throw new UsageError(`--from needs configmap/NAME or secret/NAME, not "${from}"`)
  const { name } = target
  const source = await session.collection<ApiObject & { data?: object }>(target.kind, session.namespace).get(name)
  const wanted = call.flags.items('keys')
  const prefix = call.flags.text('prefix') ?? ''
  return Object.keys(source.data ?? {})
    .filter(key => wanted.length === 0 || wanted.includes(key))
    .sort()
    .map(key => ({
      name: `${prefix}${key}`.toUpperCase().replace(/[^A-Z0-9_]/g, '_'),
      valueFrom: { [field]: { key, name } },
    }))
}

interface KeyReference {
  readonly name?: string
  readonly key?: string
  readonly fieldPath?: string
  readonly resource?: string
}
type ValueSource = Readonly<Record<string, KeyReference | undefined>>

async function listVariables(call: Call, targets: readonly string[]): Promise<number> {
  const { flags, terminal } = call
  const session = await call.session()
  const isChosen = nameMatcher(flags.text('containers') ?? '*')
  const resolvedValue = async (
    type: 'configmaps' | 'secrets',
    namespace: string,
    { name = '', key = '' }: KeyReference,
  ) => {
    const all = session.client.resource<ApiObject & { data?: Record<string, string> }>({
      group: '',
      version: 'v1',
      resource: type,
    })
    const value = (await all.in(namespace).get(name)).data?.[key]
    return type === 'secrets' && value !== undefined ? Buffer.from(value, 'base64').toString('utf8') : value
  }
  return forEach(await selectObjects(call, session, targets), terminal, async one => {
    const object = await one.collection.get(one.name)
    const spec = podSpecOf(object)
    if (!spec) throw new Error(`${object.kind} has no containers`)
    for (const { name, env = [] } of [...(spec.initContainers ?? []), ...spec.containers].filter(each =>
      isChosen(each.name),
    )) {
      terminal.write(`# ${one.kind.resource}/${one.name}, container ${name}\n`)
      for (const variable of env) {
        const source = (variable.valueFrom ?? {}) as ValueSource
        const type = source['configMapKeyRef'] ? 'configmaps' : source['secretKeyRef'] ? 'secrets' : undefined
        const reference = source['configMapKeyRef'] ?? source['secretKeyRef'] ?? {}
        if (variable.valueFrom === undefined) terminal.write(`${variable.name}=${variable.value ?? ''}\n`)
        else if (type !== undefined && flags.is('resolve'))
          terminal.write(`${variable.name}=${(await resolvedValue(type, one.namespace, reference)) ?? ''}\n`)
        else terminal.write(`# ${variable.name} from ${sourceText(source)}\n`)
      }
    }
  })
}

function sourceText(source: ValueSource): string {
  const { configMapKeyRef, secretKeyRef, fieldRef, resourceFieldRef } = source
  if (configMapKeyRef) return `configmap ${configMapKeyRef.name}, key ${configMapKeyRef.key}`
  if (secretKeyRef) return `secret ${secretKeyRef.name}, key ${secretKeyRef.key}`
  if (fieldRef) return `field path ${fieldRef.fieldPath}`
  return resourceFieldRef ? `resource ${resourceFieldRef.resource}` : 'somewhere else'
}
