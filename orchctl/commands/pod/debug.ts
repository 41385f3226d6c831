import { randomBytes } from 'node:crypto'
import { type ApiObject, isRecord } from 'orch/sdk'
import { fileFlags } from '../../arguments/shared-flags.js'
import type { Call, Command } from '../../command.js'
import { strategicMerged } from '../../objects/apply-patch.js'
import { type Pod, podsIn, podsOfTarget, waitForPod } from '../../objects/find-pods.js'
import { nameIn, readManifests } from '../../objects/read-manifests.js'
import { kindNamed, readTargets } from '../../objects/targets.js'
import { parseYamlDocuments } from '../../output/yaml-text.js'
import { readFile } from '../../read-file.js'
import type { Session } from '../../session/session.js'
import { UsageError } from '../../usage-error.js'
import { pairsOf } from '../create/create-objects.js'
import { applyProfile, profiles } from './debug-profiles.js'
import { containerFlag, streamFlags, streamTo } from './streaming.js'

type Fields = Readonly<Record<string, unknown>>
interface Container extends Fields {
  readonly name: string
  readonly image?: string
}
interface PodSpec extends Fields {
  readonly containers: readonly Container[]
  readonly nodeName?: string
}

export const debug: Command = {
  name: 'debug',
  summary: 'Debug a Pod or a node with an added container, or with a copy of the Pod.',
  usage: '(POD | TYPE/NAME | node/NAME | -f FILE) --image IMAGE [flags] [-- COMMAND [ARGUMENT...]]',
  examples: [
    ['A shell beside the containers of a Pod', 'debug -it web-1 --image=busybox --target=nginx'],
    ['A copy of the Pod with another image', 'debug web-1 --copy-to=web-test --set-image=nginx=nginx:debug'],
    ['A shell on a node', 'debug -it node/node-1 --image=busybox'],
  ],
  flags: [
    { name: 'image', kind: 'text', value: 'IMAGE', description: 'the image of the container to add' },
    containerFlag,
    { name: 'target', kind: 'text', value: 'CONTAINER', description: 'see the processes of this container' },
    { name: 'copy-to', kind: 'text', value: 'NAME', description: 'make a copy of the Pod with this name' },
    { name: 'set-image', kind: 'list', value: 'CONTAINER=IMAGE', description: 'with --copy-to: change an image' },
    { name: 'replace', kind: 'switch', description: 'with --copy-to: delete the original Pod' },
    { name: 'same-node', kind: 'switch', description: 'with --copy-to: on the same node' },
    {
      name: 'share-processes',
      kind: 'switch',
      description: 'with --copy-to: containers see the processes of each other (the default)',
    },
    { name: 'keep-labels', kind: 'switch', description: 'with --copy-to: keep the labels' },
    { name: 'keep-annotations', kind: 'switch', description: 'with --copy-to: keep the annotations' },
    { name: 'keep-liveness', kind: 'switch', description: 'with --copy-to: keep the liveness probes' },
    { name: 'keep-readiness', kind: 'switch', description: 'with --copy-to: keep the readiness probes' },
    { name: 'keep-startup', kind: 'switch', description: 'with --copy-to: keep the startup probes' },
    {
      name: 'keep-init-containers',
      kind: 'switch',
      description: 'with --copy-to: keep the init containers (the default)',
    },
    {
      name: 'profile',
      kind: 'text',
      value: 'NAME',
      description: `what the container may do: ${profiles.join(', ')}`,
      choices: profiles,
    },
    {
      name: 'custom',
      kind: 'text',
      value: 'FILE',
      description: 'a file with fields of the container, which take precedence',
    },
    { name: 'env', kind: 'list', value: 'KEY=VALUE', description: 'an environment variable' },
    { name: 'image-pull-policy', kind: 'text', value: 'POLICY', description: 'when the image is pulled' },
    { name: 'arguments-only', kind: 'switch', description: 'words after -- are arguments, not the command' },
    { name: 'attach', kind: 'switch', description: 'attach to the container; the default with -i' },
    ...streamFlags,
    ...fileFlags.filter(({ name }) => name === 'filename'),
  ],
  completes: 'pods',
  async run(call) {
    const { flags, trailing, terminal } = call
    const named = call.args.slice(0, call.args.length - trailing.length)
    const fromFiles = flags.has('filename') ? await readManifests(flags, terminal) : []
    const targets = [...named, ...fromFiles.map(one => `${one.object.kind}/${nameIn(one)}`)]
    const [target, ...more] = targets
    if (target === undefined || more.length > 0)
      throw new UsageError('name one Pod or node: orchctl debug web-1 --image=busybox')
    if (!flags.has('image') && !flags.has('set-image')) throw new UsageError('--image is required: --image=busybox')
    const session = await call.session()
    const isNode = /^(nodes?|no)\//i.test(target)
    const [pod] = isNode ? [] : await podsOfTarget(session, target)
    const made = isNode
      ? await podOnNode(call, session, target)
      : flags.has('copy-to')
        ? await copyOf(call, session, pod as Pod)
        : await addContainer(call, session, pod as Pod)
    if (!flags.is('attach', flags.is('stdin'))) return
    const { name, container } = made
    const runs = ({ status }: Pod) =>
      [...(status?.containerStatuses ?? []), ...(status?.ephemeralContainerStatuses ?? [])].some(
        one => one.name === container && one.state?.running !== undefined,
      )
    const ready = await waitForPod(call, session, name, runs)
    if (!flags.is('quiet')) terminal.log("If you don't see a command prompt, try pressing enter.")
    return streamTo(call, session, ready, { subresource: 'attach', container })
  },
}

interface Made {
  readonly name: string
  readonly container: string
}

/** The container that is added. */
function debugContainer(call: Call, name: string): Container {
  const { flags, trailing } = call
  const env = Object.entries(pairsOf(flags.list('env'), 'env')).map(([key, value]) => ({ name: key, value }))
  const plain: Container = {
    name,
    image: flags.text('image') ?? '',
    imagePullPolicy: flags.text('image-pull-policy'),
    ...(trailing.length === 0 ? {} : flags.is('arguments-only') ? { args: trailing } : { command: trailing }),
    ...(env.length > 0 ? { env } : {}),
    ...(flags.is('stdin') ? { stdin: true } : {}),
    ...(flags.is('tty') ? { tty: true } : {}),
    terminationMessagePolicy: 'File',
  }
  return plain
}

/** The container with the fields of `--custom`, which take precedence. */
function customized<T extends object>(container: T, { flags }: Call): T {
  const file = flags.text('custom')
  if (file === undefined) return container
  const [fields] = parseYamlDocuments(readFile(file).toString('utf8'), file)
  if (!isRecord(fields)) throw new UsageError(`${file} must contain fields of a container`)
  return strategicMerged(container, fields, file)
}

const newName = ({ flags }: Call) => flags.text('container') ?? `debugger-${randomBytes(3).toString('hex').slice(0, 5)}`

async function addContainer(call: Call, session: Session, pod: Pod): Promise<Made> {
  const { flags, terminal } = call
  const { name = '' } = pod.metadata
  const container = newName(call)
  const target = flags.text('target')
  const added = customized(
    {
      ...applyProfile(call, 'ephemeral', debugContainer(call, container)),
      ...(target === undefined ? {} : { targetContainerName: target }),
    },
    call,
  )
  if (target !== undefined && !flags.is('quiet'))
    terminal.log(
      `Targeting container "${target}". If you don't see processes from this container it may be because the container runtime doesn't support this feature.`,
    )
  if (!flags.has('container') && !flags.is('quiet')) terminal.log(`Defaulting debug container name to ${container}.`)
  // Added by its name, after those that are there: the Pod may change meanwhile, and others may add containers.
  const present = ((pod['spec'] as Fields | undefined)?.['ephemeralContainers'] ?? []) as readonly Container[]
  const order = [...present, added].map(one => ({ name: one.name }))
  const patch = { spec: { ephemeralContainers: [added], '$setElementOrder/ephemeralContainers': order } }
  await (await podsIn(session)).patch(name, patch, { subresource: 'ephemeralcontainers', type: 'strategic' })
  return { name, container }
}

async function copyOf(call: Call, session: Session, pod: Pod): Promise<Made> {
  const { flags, terminal } = call
  const name = flags.text('copy-to') ?? ''
  const { nodeName, ephemeralContainers: _, initContainers, ...others } = pod['spec'] as PodSpec
  const spec = {
    ...others,
    ...(flags.is('same-node') ? { nodeName } : {}),
    ...(flags.is('keep-init-containers', true) && initContainers ? { initContainers } : {}),
    ...(flags.is('share-processes', true) ? { shareProcessNamespace: true } : {}),
  }
  const images = pairsOf(flags.items('set-image'), 'set-image')
  const unwanted = (['liveness', 'readiness', 'startup'] as const).filter(kind => !flags.is(`keep-${kind}`))
  const cleaned = others.containers.map(container => {
    const kept = Object.entries(container).filter(([key]) => !unwanted.some(kind => key === `${kind}Probe`))
    const image = images[container.name] ?? images['*']
    return { ...(Object.fromEntries(kept) as Container), ...(image === undefined ? {} : { image }) }
  })
  const missing = Object.keys(images).find(key => key !== '*' && !cleaned.some(one => one.name === key))
  if (missing !== undefined) throw new UsageError(`pod ${pod.metadata.name} has no container "${missing}"`)
  const wanted = flags.text('container')
  const existing = cleaned.find(one => one.name === wanted)
  const added = flags.has('image') ? applyProfile(call, 'pod', debugContainer(call, newName(call))) : undefined
  // If -c names a container of the Pod, that one is changed instead.
  const containers =
    added === undefined
      ? cleaned
      : existing
        ? cleaned.map(one => (one.name === wanted ? customized({ ...one, ...withoutUndefined(added) }, call) : one))
        : [...cleaned, customized(added, call)]
  const { labels, annotations } = pod.metadata
  const copy: ApiObject = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      ...(flags.is('keep-labels') && labels ? { labels } : {}),
      ...(flags.is('keep-annotations') && annotations ? { annotations } : {}),
    },
    spec: { ...spec, containers },
  }
  const pods = await podsIn(session)
  if (flags.is('replace')) await pods.delete(pod.metadata.name ?? '', { propagationPolicy: 'Background' })
  await pods.create(copy)
  const container = added?.name ?? wanted ?? containers[0]?.name ?? ''
  if (!flags.has('container') && added && !flags.is('quiet'))
    terminal.log(`Defaulting debug container name to ${container}.`)
  return { name, container }
}

const withoutUndefined = (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

async function podOnNode(call: Call, session: Session, word: string): Promise<Made> {
  const [target] = readTargets([word], await session.kinds())
  const node = await session
    .collection<ApiObject>(kindNamed('nodes', await session.kinds()), '')
    .get(target?.name ?? '')
  const name = `node-debugger-${node.metadata.name}-${randomBytes(3).toString('hex').slice(0, 5)}`
  const container = call.flags.text('container') ?? 'debugger'
  const profiled = applyProfile(call, 'node', {
    ...debugContainer(call, container),
    volumeMounts: [{ name: 'host-root', mountPath: '/host' }],
  })
  const profile = call.flags.text('profile') ?? 'general'
  const shares =
    profile === 'restricted' || profile === 'baseline' ? {} : { hostNetwork: true, hostPID: true, hostIPC: true }
  const pod: ApiObject = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: {
      nodeName: node.metadata.name,
      restartPolicy: 'Never',
      tolerations: [{ operator: 'Exists' }],
      ...shares,
      volumes: [{ name: 'host-root', hostPath: { path: '/' } }],
      containers: [customized(profiled, call)],
    },
  }
  await (await podsIn(session)).create(pod)
  if (!call.flags.is('quiet'))
    call.terminal.log(`Creating debugging pod ${name} with container ${container} on node ${node.metadata.name}.`)
  return { name, container }
}
