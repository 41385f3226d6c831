import type { ApiObject } from 'orch/sdk'
import { isPodFinished } from 'orch/sdk/controllers'
import type { FlagDefinition } from '../../arguments/flags.js'
import {
  cascadeFlag,
  dryRunFlag,
  dryRunOf,
  fieldManagerFlag,
  printFlags,
  propagationOf,
} from '../../arguments/shared-flags.js'
import type { Call, Command } from '../../command.js'
import { jsonPatched, mergedBy, strategicMerged } from '../../objects/apply-patch.js'
import { podRunningTimeoutFlag, podsIn, waitForPod } from '../../objects/find-pods.js'
import { saveConfigFlag } from '../../objects/last-applied.js'

import { parseYamlDocuments } from '../../output/yaml-text.js'
import { UsageError } from '../../usage-error.js'
import { createObjects, pairsOf, requiredFlag } from '../create/create-objects.js'
import { detachFlag } from './exec.js'
import { streamFlags, streamTo } from './streaming.js'

export const overrideFlags: readonly FlagDefinition[] = [
  { name: 'overrides', kind: 'text', value: 'JSON', description: 'a patch for the created object' },
  {
    name: 'override-type',
    kind: 'text',
    value: 'TYPE',
    description: 'type of that patch: merge (the default), strategic or json',
    choices: ['merge', 'strategic', 'json'],
  },
]

/** The object with the patch of `--overrides`. */
export function overridden(object: ApiObject, { flags }: Call): ApiObject {
  const text = flags.text('overrides')
  if (text === undefined) return object
  const [patch] = parseYamlDocuments(text, '--overrides')
  const type = flags.choice('override-type', ['merge', 'strategic', 'json'])
  if (type === 'json') return jsonPatched(object, patch, '--overrides')
  return type === 'strategic' ? strategicMerged(object, patch, '--overrides') : mergedBy(patch, object)
}

export const run: Command = {
  name: 'run',
  summary: 'Run an image in a Pod.',
  usage: 'NAME --image IMAGE [flags] [-- ARGUMENT...]',
  examples: [
    ['A Pod', 'run web --image=nginx --port=80'],
    ['A shell that is deleted afterwards', 'run -it --rm shell --image=busybox --restart=Never -- sh'],
    ['With a command', 'run tick --image=busybox --command -- sleep 3600'],
  ],
  flags: [
    { name: 'image', kind: 'text', value: 'IMAGE', description: 'the image to run' },
    { name: 'command', kind: 'switch', description: 'words after -- are the command, not its arguments' },
    { name: 'env', kind: 'list', value: 'KEY=VALUE', description: 'an environment variable' },
    {
      name: 'labels',
      short: 'l',
      kind: 'list',
      value: 'LABELS',
      description: 'labels of the Pod; run=NAME by default',
    },
    { name: 'annotations', kind: 'list', value: 'KEY=VALUE', description: 'an annotation of the Pod' },
    { name: 'port', kind: 'text', value: 'N', description: 'the port at which it listens' },
    { name: 'expose', kind: 'switch', description: 'also create a service for that port' },
    {
      name: 'restart',
      kind: 'text',
      value: 'POLICY',
      description: 'restart policy: Always (the default), OnFailure or Never',
      choices: ['Always', 'OnFailure', 'Never'],
    },
    {
      name: 'image-pull-policy',
      kind: 'text',
      value: 'POLICY',
      description: 'when the image is pulled: Always, IfNotPresent or Never',
      choices: ['Always', 'IfNotPresent', 'Never'],
    },
    { name: 'privileged', kind: 'switch', description: 'run the container in privileged mode' },
    ...streamFlags,
    { name: 'attach', kind: 'switch', description: 'attach to the container; the default with -i' },
    { name: 'leave-stdin-open', kind: 'switch', description: 'keep standard input open after the first attach' },
    { name: 'rm', kind: 'switch', description: 'delete the Pod when the connection ends' },
    { name: 'grace-period', kind: 'text', value: 'SECONDS', description: 'with --rm: grace period in seconds' },
    { name: 'force', kind: 'switch', description: 'with --rm: delete at once' },
    { name: 'wait', kind: 'switch', description: 'with --rm: wait until it is gone' },
    { name: 'timeout', kind: 'text', value: 'TIME', description: 'with --rm: how long to wait until it is gone (5m)' },
    cascadeFlag('with --rm: '),
    detachFlag,
    podRunningTimeoutFlag,
    ...overrideFlags,
    dryRunFlag,
    fieldManagerFlag,
    saveConfigFlag,
    ...printFlags,
  ],
  completes: 'nothing',
  async run(call) {
    const { flags, trailing, terminal } = call
    const [name, ...more] = call.args.slice(0, call.args.length - trailing.length)
    if (name === undefined || more.length > 0) throw new UsageError('name one Pod: orchctl run web --image=nginx')
    const attaches = flags.is('attach', flags.is('stdin'))
    const removes = flags.is('rm')
    if (removes && !attaches) throw new UsageError('--rm deletes the Pod when you detach: add -i or --attach')
    if (attaches && dryRunOf(flags) !== 'none') throw new UsageError('--dry-run creates no Pod to attach to')
    if (flags.is('expose') && !flags.has('port')) throw new UsageError('--expose needs --port')
    const labels = flags.has('labels') ? pairsOf(flags.items('labels'), 'labels') : { run: name }
    const objects = [
      overridden(podOf(call, name, labels), call),
      ...(flags.is('expose') ? [serviceOf(call, name, labels)] : []),
    ]
    const code = await createObjects(
      call,
      objects.map(object => ({ object, origin: 'the command line' })),
      { verb: 'run', done: 'created' },
    )
    if (code !== 0 || !attaches) return code
    const session = await call.session()
    const pods = await podsIn(session)
    try {
      const pod = await waitForPod(call, session, name, pod => pod.status?.phase === 'Running' || isPodFinished(pod))
      if (isPodFinished(pod)) {
        const decoder = new TextDecoder()
        for await (const chunk of session.stream(
          `/api/v1/namespaces/${session.namespace}/pods/${name}/log?container=${name}`,
          terminal.signal,
        ))
          terminal.write(decoder.decode(chunk, { stream: true }))
        return pod.status?.phase === 'Failed' ? 1 : 0
      }
      if (!flags.is('quiet') && flags.is('tty')) terminal.log("If you don't see a command prompt, try pressing enter.")
      return await streamTo(call, session, pod, { subresource: 'attach', container: name })
    } finally {
      if (removes) {
        const grace = flags.is('force') ? 0 : flags.number('grace-period')
        await pods.delete(name, {
          propagationPolicy: propagationOf(flags),
          ...(grace === undefined ? {} : { gracePeriodSeconds: grace }),
        })
        if (!flags.is('quiet')) terminal.write(`pod "${name}" deleted\n`)
        if (flags.is('wait')) await pods.waitForDeletion(name, { timeoutMs: flags.durationMs('timeout') ?? 300_000 })
      }
    }
  },
}

function podOf(call: Call, name: string, labels: Record<string, string>): ApiObject {
  const { flags, trailing } = call
  const port = flags.number('port')
  const env = Object.entries(pairsOf(flags.list('env'), 'env')).map(([key, value]) => ({ name: key, value }))
  const annotations = flags.has('annotations')
    ? { annotations: pairsOf(flags.items('annotations'), 'annotations') }
    : {}
  const container = {
    name,
    image: requiredFlag(call, 'image', 'nginx'),
    ...(trailing.length === 0 ? {} : flags.is('command') ? { command: trailing } : { args: trailing }),
    ...(env.length > 0 ? { env } : {}),
    ...(port === undefined ? {} : { ports: [{ containerPort: port }] }),
    ...(flags.has('image-pull-policy')
      ? { imagePullPolicy: flags.choice('image-pull-policy', ['Always', 'IfNotPresent', 'Never']) }
      : {}),
    ...(flags.is('privileged') ? { securityContext: { privileged: true } } : {}),
    ...(flags.is('stdin') ? { stdin: true, ...(flags.is('leave-stdin-open') ? {} : { stdinOnce: true }) } : {}),
    ...(flags.is('tty') ? { tty: true } : {}),
  }
  const restartPolicy = flags.choice('restart', ['Always', 'OnFailure', 'Never']) ?? 'Always'
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels, ...annotations },
    spec: { containers: [container], restartPolicy, dnsPolicy: 'ClusterFirst' },
  }
}

function serviceOf({ flags }: Call, name: string, labels: Record<string, string>): ApiObject {
  const port = flags.number('port') ?? 0
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { ports: [{ port, protocol: 'TCP', targetPort: port }], selector: labels },
  }
}
