import { UsageError } from '../../usage-error.js'
import { createCommand, pairsOf, requiredFlag, vendorVersion } from './create-objects.js'

/** The value of a field that is either a number or a percentage. */
const numberOrShare = (text: string) => (/^\d+$/.test(text) ? Number(text) : text)

export const createNamespace = createCommand({
  name: 'create namespace',
  aliases: ['create ns'],
  summary: 'Create a namespace.',
  usage: 'NAME [flags]',
  examples: [['For the objects of one team', 'create namespace web']],
  flags: [],
  build: () => ({ kind: 'Namespace' }),
})

export const createServiceAccount = createCommand({
  name: 'create serviceaccount',
  aliases: ['create sa'],
  summary: 'Create a service account: the identity of a program.',
  usage: 'NAME [flags]',
  examples: [['Then request a token for it', 'create serviceaccount builder']],
  flags: [],
  build: () => ({ kind: 'ServiceAccount' }),
})

export const createQuota = createCommand({
  name: 'create quota',
  aliases: ['create resourcequota'],
  summary: 'Create a quota: how much a namespace may use.',
  usage: 'NAME [--hard KEY=AMOUNT,...] [--scopes SCOPE,...] [flags]',
  examples: [['At most ten Pods and one CPU', 'create quota small --hard=pods=10,cpu=1']],
  flags: [
    { name: 'hard', kind: 'list', value: 'KEY=AMOUNT,...', description: 'how much of what may be used' },
    { name: 'scopes', kind: 'list', value: 'SCOPE,...', description: 'only count objects that match all of these' },
  ],
  build({ flags }) {
    const scopes = flags.items('scopes')
    const hard = pairsOf(flags.items('hard'), 'hard')
    const spec = {
      ...(Object.keys(hard).length > 0 ? { hard } : {}),
      ...(scopes.length > 0 ? { scopes } : {}),
    }
    return { kind: 'ResourceQuota', spec }
  },
})

export const createPodDisruptionBudget = createCommand({
  name: 'create poddisruptionbudget',
  aliases: ['create pdb'],
  summary: 'Create a disruption budget: how many of the selected Pods must stay available during evictions.',
  usage: 'NAME --selector SELECTOR (--min-available N | --max-unavailable N) [flags]',
  examples: [['Half of them stay', 'create pdb web --selector=app=web --min-available=50%']],
  flags: [
    { name: 'selector', kind: 'text', value: 'SELECTOR', description: 'labels of the Pods: app=web' },
    {
      name: 'min-available',
      kind: 'text',
      value: 'N',
      description: 'how many must stay available: a number or a percentage, 50%',
    },
    {
      name: 'max-unavailable',
      kind: 'text',
      value: 'N',
      description: 'how many may be unavailable: a number or a percentage',
    },
  ],
  build(call) {
    const { flags } = call
    const matchLabels = pairsOf(requiredFlag(call, 'selector', 'app=web').split(','), 'selector')
    const least = flags.text('min-available')
    const most = flags.text('max-unavailable')
    if ((least === undefined) === (most === undefined))
      throw new UsageError('give one of --min-available and --max-unavailable')
    const limit =
      least === undefined ? { maxUnavailable: numberOrShare(most ?? '') } : { minAvailable: numberOrShare(least) }
    return { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', spec: { ...limit, selector: { matchLabels } } }
  },
})

export const createPriorityClass = createCommand({
  name: 'create priorityclass',
  aliases: ['create pc'],
  summary: 'Create a priority that Pods may have.',
  usage: 'NAME --value N [flags]',
  examples: [['Before most others', 'create priorityclass high --value=1000 --description="what users wait for"']],
  flags: [
    { name: 'value', kind: 'text', value: 'N', description: 'the priority: higher ones come first' },
    { name: 'global-default', kind: 'switch', description: 'for Pods that name no class' },
    { name: 'description', kind: 'text', value: 'TEXT', description: 'what it is for' },
    {
      name: 'preemption-policy',
      kind: 'text',
      value: 'POLICY',
      description: 'PreemptLowerPriority (the default) or Never',
      choices: ['PreemptLowerPriority', 'Never'],
    },
  ],
  async build(call) {
    const value = requiredFlag(call, 'value', '1000')
    if (!/^-?\d+$/.test(value)) throw new UsageError(`--value must be a number, not "${value}"`)
    const description = call.flags.text('description')
    return {
      apiVersion: await vendorVersion(call, 'scheduling'),
      kind: 'PriorityClass',
      value: Number(value),
      ...(call.flags.is('global-default') ? { globalDefault: true } : {}),
      ...(description === undefined ? {} : { description }),
      preemptionPolicy: call.flags.text('preemption-policy') ?? 'PreemptLowerPriority',
    }
  },
})
