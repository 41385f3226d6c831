import { allFlag } from '../../arguments/shared-flags.js'
import type { Command } from '../../command.js'
import { changeAnywhere, localFlag } from '../../objects/change-local.js'
import { changeObjectFlags } from '../../objects/change-objects.js'
import type { Container } from '../../objects/pod-template.js'
import { UsageError } from '../../usage-error.js'
import { changeContainers } from './change-containers.js'

export const setImage: Command = {
  name: 'set image',
  summary: 'Change the images of the containers of workloads.',
  usage: '(TYPE NAME... | TYPE/NAME... | TYPE --all | -f FILE) CONTAINER=IMAGE... [flags]',
  examples: [
    ['One container of a deployment', 'set image deployment/web nginx=nginx:1.25'],
    ['All of them', 'set image deployments,daemonsets --all *=nginx:1.25'],
    ['A file', 'set image -f web.yaml nginx=nginx:1.25 --local -o yaml'],
  ],
  flags: [allFlag, localFlag, ...changeObjectFlags],
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
    const required = [...images.keys()].filter(name => name !== '*')
    const objects = call.args.filter(word => !word.includes('='))
    const make = (object: Parameters<typeof changeContainers>[0]) => changeContainers(object, named, required)
    return changeAnywhere(call, { verb: 'set', done: 'image updated', make }, objects)
  },
}
