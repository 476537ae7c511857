import Theme from 'vitepress/theme'
import './contrast.css'
import './layout.css'

export default Theme
