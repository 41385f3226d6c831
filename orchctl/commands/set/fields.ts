import { isRecord } from 'orch/sdk'
import { allFlag } from '../../arguments/shared-flags.js'
import type { Command } from '../../command.js'
import { changeAnywhere, localFlag } from '../../objects/change-local.js'
import { changeObjectFlags } from '../../objects/change-objects.js'
import { podSpecOf, podSpecPath, withValueAt } from '../../objects/pod-template.js'
import { UsageError } from '../../usage-error.js'

export const setSelector: Command = {
  name: 'set selector',
  summary: 'Change the labels by which a service selects Pods.',
  usage: '(TYPE NAME | TYPE/NAME | -f FILE) KEY=VALUE,... [flags]',
  examples: [['All Pods with two labels', 'set selector service/web app=web,stage=live']],
  flags: [
    {
      name: 'resource-version',
      kind: 'text',
      value: 'VERSION',
      description: 'only if the object still has this resource version',
    },
    allFlag,
    localFlag,
    ...changeObjectFlags,
  ],
  run(call) {
    const changes = call.args.filter(word => word.includes('='))
    if (changes.length === 0) throw new UsageError('say what to select: KEY=VALUE,...')
    const selector = Object.fromEntries(
      changes
        .flatMap(word => word.split(','))
        .map(pair => {
          const at = pair.indexOf('=')
          if (at < 1) throw new UsageError(`write KEY=VALUE, not "${pair}": a service selects by equal labels only`)
          return [pair.slice(0, at), pair.slice(at + 1)]
        }),
    )
    const version = call.flags.text('resource-version')
    return changeAnywhere(
      call,
      {
        verb: 'set',
        done: 'selector updated',
        make(object) {
          if (object.kind !== 'Service') throw new Error(`setting a selector is only supported for services`)
          const { resourceVersion } = object.metadata
          if (version !== undefined && version !== resourceVersion)
            throw new Error(`Expected resource version to be ${version}, was ${resourceVersion}`)
          return withValueAt(object, ['spec', 'selector'], selector)
        },
      },
      call.args.filter(word => !word.includes('=')),
    )
  },
}

export const setServiceAccount: Command = {
  name: 'set serviceaccount',
  aliases: ['set sa'],
  summary: 'Change the service account of the Pods of workloads.',
  usage: '(TYPE NAME... | TYPE/NAME... | -f FILE) SERVICE-ACCOUNT [flags]',
  examples: [['Of a deployment', 'set serviceaccount deployment/web builder']],
  flags: [allFlag, localFlag, ...changeObjectFlags],
  run(call) {
    const account = call.args.at(-1)
    if (account === undefined) throw new UsageError('name the service account last')
    return changeAnywhere(
      call,
      {
        verb: 'set',
        done: 'serviceaccount updated',
        make(object) {
          const spec = podSpecOf(object)
          if (!spec) throw new Error(`${object.kind} has no Pods`)
          if (spec.serviceAccountName === account) return undefined
          const changed = { ...spec, serviceAccountName: account, serviceAccount: account }
          return withValueAt(object, podSpecPath(object) ?? [], changed)
        },
      },
      call.args.slice(0, -1),
    )
  },
}

interface Subject {
  readonly kind: string
  readonly apiGroup?: string
  readonly name: string
  readonly namespace?: string
}

export const setSubject: Command = {
  name: 'set subject',
  summary: 'Add users, groups and service accounts to role bindings.',
  usage:
    '(TYPE NAME... | TYPE/NAME... | -f FILE) [--user NAME] [--group NAME] [--serviceaccount NAMESPACE:NAME] [flags]',
  examples: [['A user and a group', 'set subject rolebinding readers --user=jane --group=testers']],
  flags: [
    { name: 'user', key: 'user-subject', kind: 'list', value: 'NAME', description: 'a user' },
    { name: 'group', kind: 'list', value: 'NAME', description: 'a group' },
    { name: 'serviceaccount', kind: 'list', value: 'NAMESPACE:NAME', description: 'a service account' },
    allFlag,
    localFlag,
    ...changeObjectFlags,
  ],
  run(call) {
    const { flags } = call
    const accounts = flags.items('serviceaccount').map(text => {
      const [namespace, name, ...more] = text.split(':')
      if (!namespace || !name || more.length > 0)
        throw new UsageError(`--serviceaccount needs NAMESPACE:NAME, not "${text}"`)
      return { kind: 'ServiceAccount', namespace, name }
    })
    const [users, groups] = [flags.items('user-subject'), flags.items('group')]
    if (users.length + groups.length + accounts.length === 0)
      throw new UsageError('say whom to add: --user, --group or --serviceaccount')
    return changeAnywhere(call, {
      verb: 'set',
      done: 'subjects updated',
      make(object) {
        const reference = object['roleRef']
        if (!isRecord(reference)) throw new Error(`setting subjects is only supported for role bindings`)
        const apiGroup = String(reference['apiGroup'] ?? '')
        const before = (object['subjects'] ?? []) as readonly Subject[]
        const wanted: Subject[] = [
          ...users.map(name => ({ kind: 'User', apiGroup, name })),
          ...groups.map(name => ({ kind: 'Group', apiGroup, name })),
          ...accounts,
        ]
        const added = wanted.filter(one => !before.some(other => isSameSubject(one, other)))
        return added.length === 0 ? undefined : { ...object, subjects: [...before, ...added] }
      },
    })
  },
}

const isSameSubject = (left: Subject, right: Subject) =>
  left.kind === right.kind && left.name === right.name && (left.namespace ?? '') === (right.namespace ?? '')
