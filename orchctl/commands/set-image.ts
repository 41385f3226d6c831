import { allFlag } from '../arguments/shared-flags.js'
import type { Command } from '../command.js'
import { changeObjectFlags, changeObjects } from '../objects/change-objects.js'
import { type Container, podSpecOf, podSpecPath, withValueAt } from '../objects/pod-template.js'
import { UsageError } from '../usage-error.js'

export const setImage: Command = {
  name: 'set image',
  summary: 'Change the images of containers.',
  usage: '(TYPE NAME | TYPE/NAME... | TYPE --all | -f FILE) CONTAINER=IMAGE... [flags]',
  examples: [
    ['One container of a deployment', 'set image deployment/web nginx=nginx:1.25'],
    ['All of them', 'set image deployments,daemonsets --all *=nginx:1.25'],
  ],
  flags: [allFlag, ...changeObjectFlags],
  async run(call) {
    const images = new Map<string, string>()
    for (const word of call.args.filter(one => one.includes('='))) {
      const [name = '', image = ''] = [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]
      if (name === '' || image === '') throw new UsageError(`write CONTAINER=IMAGE, not "${word}"`)
      images.set(name, image)
    }
    if (images.size === 0) throw new UsageError('say which image: CONTAINER=IMAGE')
    const named = (container: Container) => {
      const image = images.get(container.name) ?? images.get('*')
      return image === undefined || image === container.image ? container : { ...container, image }
    }
    const make = (object: Parameters<typeof podSpecOf>[0]) => {
      const spec = podSpecOf(object)
      if (spec === undefined) throw new Error(`${object.kind} has no containers`)
      const all = [...spec.containers, ...(spec.initContainers ?? [])]
      const missing = [...images.keys()].find(name => name !== '*' && !all.some(one => one.name === name))
      if (missing !== undefined) throw new Error(`unable to find container named "${missing}"`)
      if (all.every(one => named(one) === one)) return undefined
      const changed = {
        ...spec,
        containers: spec.containers.map(named),
        ...(spec.initContainers ? { initContainers: spec.initContainers.map(named) } : {}),
      }
      return withValueAt(object, podSpecPath(object) ?? [], changed)
    }
    const objects = call.args.filter(word => !word.includes('='))
    return changeObjects(call, { verb: 'set', done: 'image updated', make }, objects)
  },
}
