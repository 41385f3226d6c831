/** All beacons at once. */
export function mount(element, { request, navigate }) {
  const list = document.createElement('ul')
  element.append(list)
  request('/apis/example.com/v1/beacons').then(async answer => {
    const { items = [], message } = await answer.json()
    if (!answer.ok) list.textContent = message
    for (const { metadata, spec } of items) {
      const item = document.createElement('li')
      const button = document.createElement('button')
      button.type = 'button'
      button.textContent = `${metadata.name}: ${spec.lit ? spec.color : 'dark'}`
      button.onclick = () => navigate(`/o/example.com/v1/beacons/${metadata.namespace}/${metadata.name}`)
      item.append(button)
      list.append(item)
    }
  })
}
