package browsertests
import ("testing";"os";"github.com/chromedp/cdproto/page";"github.com/chromedp/chromedp";"github.com/chromedp/cdproto/emulation")
func TestZZ(t *testing.T){
 p := newTab(t)
 chromedp.Call(p.ctx, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: 1000, Height: 3600, DeviceScaleFactor: 1})
 p.do(chromedp.Navigate("file://"+os.Getenv("R")))
 t.Log(eval[int](p,"document.documentElement.scrollHeight"), eval[int](p,"document.documentElement.scrollWidth"))
 r, err := chromedp.Call(p.ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{})
 if err != nil { t.Fatal(err) }
 os.WriteFile("/tmp/r.png", r.Data, 0o644)
 p.calm()
}
