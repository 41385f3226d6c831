import { apiVersionOf } from 'orch/sdk/client'
import { fileFlags, labelSelectorFlag } from '../arguments/shared-flags.js'
import type { Call, Command } from '../command.js'
import { selectObjects } from '../objects/select-objects.js'
import { UsageError } from '../usage-error.js'
import { createFlags, createObjects } from './create/create-objects.js'

export const autoscale: Command = {
  name: 'autoscale',
  summary: 'Create an autoscaler, which scales a workload by the usage of its Pods.',
  usage: '(TYPE NAME | TYPE/NAME | -f FILE) --max N [--min N] [--cpu-percent N] [flags]',
  examples: [['Between two and ten', 'autoscale deployment/web --min=2 --max=10 --cpu-percent=80']],
  flags: [
    { name: 'max', kind: 'text', value: 'N', description: 'maximum number of Pods' },
    { name: 'min', kind: 'text', value: 'N', description: 'minimum number of Pods' },
    { name: 'cpu-percent', kind: 'text', value: 'N', description: 'target CPU usage in percent of the requested CPU' },
    {
      name: 'cpu',
      kind: 'text',
      value: 'AMOUNT',
      description: 'target CPU usage: 80% of what is requested, or 500m on average',
    },
    {
      name: 'memory',
      kind: 'text',
      value: 'AMOUNT',
      description: 'target memory usage: 80% of what is requested, or 200Mi on average',
    },
    {
      name: 'name',
      kind: 'text',
      value: 'NAME',
      description: 'name of the autoscaler; the name of the object by default',
    },
    labelSelectorFlag,
    ...fileFlags,
    ...createFlags,
  ],
  async run(call) {
    const { flags } = call
    const [most, least, percent] = [flags.number('max'), flags.number('min'), flags.number('cpu-percent')]
    if (most === undefined || most < 1) throw new UsageError('--max is required, and at least 1: --max=10')
    if (least !== undefined && least > most) throw new UsageError('--max must be at least --min')
    const session = await call.session()
    const manifests = (await selectObjects(call, session)).map(({ kind, name, namespace, label }) => {
      if (!kind.subresources.includes('scale')) throw new UsageError(`cannot autoscale a ${kind.kind}`)
      const metrics = [metricOf(call, 'cpu'), metricOf(call, 'memory')].filter(one => one !== undefined)
      if (metrics.length > 0 && percent !== undefined) throw new UsageError('give --cpu or --cpu-percent, not both')
      const object = {
        apiVersion: metrics.length > 0 ? 'autoscaling/v2' : 'autoscaling/v1',
        kind: 'HorizontalPodAutoscaler',
        metadata: { name: flags.text('name') ?? name, namespace },
        spec: {
          maxReplicas: most,
          ...(least === undefined ? {} : { minReplicas: least }),
          scaleTargetRef: { apiVersion: apiVersionOf(kind), kind: kind.kind, name },
          ...(metrics.length > 0 ? { metrics } : {}),
          ...(percent === undefined ? {} : { targetCPUUtilizationPercentage: percent }),
        },
      }
      return { object, origin: label }
    })
    return createObjects(call, manifests, { verb: 'autoscale', done: 'autoscaled' })
  },
}

function metricOf({ flags }: Call, name: 'cpu' | 'memory'): object | undefined {
  const text = flags.text(name)
  if (text === undefined) return undefined
  const share = /^(\d+)%$/.exec(text)?.[1]
  const target = share
    ? { type: 'Utilization', averageUtilization: Number(share) }
    : { type: 'AverageValue', averageValue: text }
  return { type: 'Resource', resource: { name, target } }
}
