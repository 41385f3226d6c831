import { randomBytes } from 'node:crypto'
import type { ApiObject } from 'orch/sdk'
import type { FlagDefinition } from '../../arguments/flags.js'
import type { Call } from '../../command.js'
import { UsageError } from '../../usage-error.js'
import { createCommand, requiredFlag, type Unnamed } from './create-objects.js'

const imageFlag: FlagDefinition = { name: 'image', kind: 'text', value: 'IMAGE', description: 'the image to run' }
const fromFlag: FlagDefinition = {
  kind: 'text',
  value: 'cronjob/NAME',
  description: 'the cron job whose template to use',
  name: 'from',
}
const commandOf = ({ trailing }: Call) => (trailing.length > 0 ? { command: trailing } : {})

/** The name of a container is derived from its image. */
function containerName(image: string): string {
  const name = (image.split('/').at(-1) ?? '').split(/[:@]/)[0] ?? ''
  // The random suffix keeps the names of two images apart that differ only in replaced characters.
  return /[_.]/.test(name) ? `${name.replace(/[_.]/g, '-')}-${randomBytes(3).toString('hex').slice(0, 5)}` : name
}

export const createDeployment = createCommand({
  name: 'create deployment',
  aliases: ['create deploy'],
  summary: 'Create a deployment from images.',
  usage: 'NAME --image IMAGE... [flags] [-- COMMAND [ARGUMENT...]]',
  examples: [
    ['Three Pods', 'create deployment web --image=nginx --replicas=3'],
    ['With a command', 'create deployment tick --image=busybox -- sleep 3600'],
  ],
  flags: [
    { ...imageFlag, kind: 'list', description: 'the image of a container' },
    { name: 'replicas', short: 'r', kind: 'text', value: 'N', description: 'how many Pods (1)' },
    { name: 'port', kind: 'text', value: 'N', description: 'the port at which the first container listens' },
  ],
  build(call, name) {
    const images = call.flags.items('image')
    if (images.length === 0) throw new UsageError('--image is required: --image=nginx')
    if (images.length > 1 && call.trailing.length > 0)
      throw new UsageError('a command is for one image: leave out the others, or the command')
    const containerPort = call.flags.number('port')
    const containers = images.map((image, index) => ({
      name: containerName(image),
      image,
      ...commandOf(call),
      ...(index === 0 && containerPort !== undefined ? { ports: [{ containerPort }] } : {}),
    }))
    const labels = { app: name }
    return {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { labels },
      spec: {
        replicas: call.flags.number('replicas') ?? 1,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers } },
      },
    }
  },
})

/** A Pod template with one container, which has the name of the object. */
const onePod = (call: Call, name: string, restartPolicy: string) => ({
  spec: {
    containers: [{ name, image: requiredFlag(call, 'image', 'busybox'), ...commandOf(call) }],
    restartPolicy,
  },
})

export const createJob = createCommand({
  name: 'create job',
  summary: 'Create a job from an image or from the template of a cron job.',
  usage: 'NAME (--image IMAGE | --from cronjob/NAME) [flags] [-- COMMAND [ARGUMENT...]]',
  examples: [
    ['Run a command to its end', 'create job once --image=busybox -- date'],
    ['Run a cron job now', 'create job now --from=cronjob/nightly'],
  ],
  flags: [imageFlag, fromFlag],
  async build(call, name) {
    const from = call.flags.text('from')
    if (from === undefined)
      return { apiVersion: 'batch/v1', kind: 'Job', spec: { template: onePod(call, name, 'Never') } }
    if (call.flags.has('image') || call.trailing.length > 0)
      throw new UsageError('--from uses the template of the cron job: leave out --image and the command')
    return jobOf(call, from)
  },
})

interface CronJob extends ApiObject {
  spec: { jobTemplate: { metadata?: { labels?: object; annotations?: object }; spec: object } }
}

async function jobOf(call: Call, from: string): Promise<Unnamed> {
  const [type = '', name = ''] = from.split('/')
  const session = await call.session()
  const kind = (await session.kinds()).findByName(type)
  if (kind?.resource !== 'cronjobs' || name === '') throw new UsageError(`--from needs cronjob/NAME, not "${from}"`)
  const { metadata, spec } = await session.collection<CronJob>(kind, session.namespace).get(name)
  const { labels, annotations } = spec.jobTemplate.metadata ?? {}
  const manual = (await session.vendor()).qualify('instantiate', 'cronjob')
  const owner = { apiVersion: 'batch/v1', kind: 'CronJob', name, uid: metadata.uid, controller: true }
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      ...(labels ? { labels } : {}),
      annotations: { [manual]: 'manual', ...annotations },
      ownerReferences: [owner],
    },
    spec: spec.jobTemplate.spec,
  }
}

export const createCronJob = createCommand({
  name: 'create cronjob',
  aliases: ['create cj'],
  summary: 'Create a cron job from an image.',
  usage: 'NAME --image IMAGE --schedule SCHEDULE [flags] [-- COMMAND [ARGUMENT...]]',
  examples: [['Every five minutes', 'create cronjob tick --image=busybox --schedule="*/5 * * * *" -- date']],
  flags: [
    imageFlag,
    {
      name: 'schedule',
      kind: 'text',
      value: 'SCHEDULE',
      description: 'when: minute, hour, day, month, day of the week',
    },
    {
      name: 'restart',
      kind: 'text',
      value: 'POLICY',
      description: 'restart policy of the container: OnFailure (the default) or Never',
      choices: ['OnFailure', 'Never'],
    },
  ],
  build(call, name) {
    const schedule = requiredFlag(call, 'schedule', '"*/5 * * * *"')
    const template = onePod(call, name, call.flags.choice('restart', ['OnFailure', 'Never']) ?? 'OnFailure')
    return {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      spec: { schedule, jobTemplate: { metadata: { name }, spec: { template } } },
    }
  },
})
