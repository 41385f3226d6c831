import { parseQuantity } from 'orch/sdk/validation'
import { allFlag } from '../../arguments/shared-flags.js'
import type { Call, Command } from '../../command.js'
import { changeAnywhere, localFlag } from '../../objects/change-local.js'
import { changeObjectFlags } from '../../objects/change-objects.js'
import { UsageError } from '../../usage-error.js'
import { pairsOf } from '../create/create-objects.js'
import { changeContainers, nameMatcher } from './change-containers.js'

export const setResources: Command = {
  name: 'set resources',
  summary: 'Change the requested resources and the limits of containers.',
  usage: '(TYPE NAME... | TYPE/NAME... | TYPE --all | -f FILE) (--limits AMOUNTS | --requests AMOUNTS) [flags]',
  examples: [
    ['A limit and a request', 'set resources deployment/web --limits=cpu=200m,memory=512Mi --requests=cpu=100m'],
    ['Of one container', 'set resources deployment/web -c nginx --limits=memory=1Gi'],
  ],
  flags: [
    { name: 'limits', kind: 'text', value: 'NAME=AMOUNT,...', description: 'limits to set' },
    { name: 'requests', kind: 'text', value: 'NAME=AMOUNT,...', description: 'requests to set' },
    {
      name: 'containers',
      short: 'c',
      kind: 'text',
      value: 'PATTERN',
      description: 'names of containers, with * for any letters; all by default',
    },
    allFlag,
    localFlag,
    ...changeObjectFlags,
  ],
  run(call) {
    const [limits, requests] = [amountsOf(call, 'limits'), amountsOf(call, 'requests')]
    if (!limits && !requests)
      throw new UsageError('say how much: --limits=cpu=200m,memory=512Mi or --requests=cpu=100m')
    const isChosen = nameMatcher(call.flags.text('containers') ?? '*')
    return changeAnywhere(call, {
      verb: 'set',
      done: 'resource requirements updated',
      make: object =>
        changeContainers(object, container =>
          isChosen(container.name)
            ? {
                ...container,
                resources: {
                  ...container.resources,
                  ...(limits ? { limits: { ...container.resources?.limits, ...limits } } : {}),
                  ...(requests ? { requests: { ...container.resources?.requests, ...requests } } : {}),
                },
              }
            : container,
        ),
    })
  },
}

function amountsOf({ flags }: Call, name: string): Record<string, string> | undefined {
  if (!flags.has(name)) return undefined
  const amounts = pairsOf(flags.items(name), name)
  for (const [resource, amount] of Object.entries(amounts))
    if (!isAmount(amount)) throw new UsageError(`--${name}: "${amount}" is not an amount of ${resource}`)
  return amounts
}

function isAmount(text: string): boolean {
  try {
    parseQuantity(text)
    return true
  } catch {
    return false
  }
}
